import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Elements and members in conditions", .covers("S73")) struct CollectionTests {
  struct Address: Codable, Hashable, Sendable {
    var city: String
    var floor: Int?
    var since: Date
  }

  struct Bag: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var scores: Set<Double>
    var settings: [String: String]?
    var address: Address

    static let classDescription = ClassDescription(
      "Bag",
      properties: [
        .init("name", String.self), .init("scores", Set<Double>.self),
        .init("settings", [String: String]?.self), .init("address", Address.self),
      ])
    static var propertyNames: [AnyKeyPath: String] {
      [
        \Bag.name: "name", \Bag.scores: "scores", \Bag.settings: "settings",
        \Bag.address: "address",
      ]
    }

    init(_ name: String, _ scores: Set<Double>, _ settings: [String: String]?, _ address: Address) {
      (self.name, self.scores, self.settings, self.address) = (name, scores, settings, address)
    }

    init(row: Row) throws {
      (name, scores) = (try row.value(at: 0), try row.value(at: 1))
      (settings, address) = (try row.value(at: 2), try row.value(at: 3))
      objectID = try row.value(at: 4)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(scores, at: 1)
      try binder.bind(settings, at: 2)
      try binder.bind(address, at: 3)
    }

    struct Properties: ObjectProperties {
      let origin: PropertyOrigin
      var name: Property<String> { origin.property("name") }
      var scores: Property<Set<Double>> { origin.property("scores") }
      var settings: Property<[String: String]?> { origin.property("settings") }
      var address: Property<Address> { origin.property("address") }
    }
  }

  private let test: TestVault
  private let bags: ObjectStore<Bag>

  init() throws {
    test = try TestVault()
    bags = try test.vault.store(of: Bag.self)
    try bags.insert(contentsOf: [
      Bag(
        "one", [1, 2.5], ["theme": "dark", "a\"b": "x"],
        Address(city: "Oslo", floor: 3, since: Date(timeIntervalSince1970: 50))),
      Bag("two", [], nil, Address(city: "Ulm", since: Date(timeIntervalSince1970: 100))),
      Bag(
        "three", [2], ["theme": "three"],
        Address(city: "three", floor: -1, since: Date(timeIntervalSince1970: 1e9))),
    ])
  }

  private func names(_ condition: ObjectCondition) throws -> [String] {
    try bags.where(condition).all().map(\.name)
  }

  private func typed(_ condition: (Bag.Properties) -> some ConditionConvertible) throws -> [String]
  {
    try names(Bag.condition(condition))
  }

  @Test("of typed properties have the types of Swift")
  func typedMembers() throws {
    #expect(try typed { $0.scores.contains(1) } == ["one"])
    #expect(try typed { $0.scores.contains(2.5) || $0.scores.contains(2) } == ["one", "three"])
    #expect(try typed { $0.scores.count == 0 } == ["two"])
    #expect(try typed { $0.settings["theme"] == "dark" } == ["one"])
    #expect(try typed { $0.settings["a\"b"] == "x" } == ["one"])
    #expect(try typed { $0.settings["theme"] == nil } == ["two"])
    #expect(try typed { $0.settings["theme"].hasPrefix("d") } == ["one"])
    #expect(try typed { $0.settings["theme"] == $0.name } == ["three"])
    #expect(try typed { $0.settings.count == 2 } == ["one"])
    #expect(try typed { $0.address.member("city", as: String.self) == "Oslo" } == ["one"])
    #expect(try typed { $0.address.member("floor", as: Int.self) < 2 } == ["three"])
    #expect(try typed { $0.address.member("floor", as: Int.self) == nil } == ["two"])
    #expect(
      try typed { $0.address.member("since", as: Date.self) < Date(timeIntervalSince1970: 99) }
        == ["one"])
    #expect(
      try typed { $0.address.member("since", as: Date.self) > CurrentDate() - .seconds(60) } == [])
    #expect(try names(Where("address.city").isEqual(to: "Ulm")) == ["two"])
    #expect(try names(Where.any("scores").isGreater(than: 2)) == ["one"])
  }

  @Test("are rejected in sorts and groups, which need a type")
  func sorts() throws {
    let error = #expect(throws: VaultError.self) {
      try bags.query.sorted(by: "address.city").all()
    }
    #expect(error?.code == .invalidCondition)
    #expect(try bags.query.sorted(by: .descending("scores.@count")).first()?.name == "one")
  }
}
