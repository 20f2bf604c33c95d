import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("The properties that a class lists") struct DeclaredPropertiesTests {
  /// Lists two of its three properties, in another order than it has them.
  private struct Visit: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var place: String
    var when: Date
    var isSelected = false

    static let classDescription = ClassDescription(
      "Visit",
      properties: [
        PropertyDescription("when", Date.self), PropertyDescription("place", String.self),
      ])

    init(_ place: String, when: Date) {
      self.place = place
      self.when = when
    }

    init(row: Row) throws {
      when = try row.value(at: 0)
      place = try row.value(at: 1)
      objectID = try row.value(at: 2)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(when, at: 0)
      try binder.bind(place, at: 1)
    }
  }

  private let folder = try? TemporaryFolder()

  private func vault() throws -> Vault {
    try Vault(
      at: #require(folder).file("a.vault"), key: .raw([UInt8](repeating: 7, count: 32)))
  }

  @Test("are stored and no others, in the order of the list", .covers("X47", "P57"))
  func listed() throws {
    let vault = try vault()
    let visits = try vault.store(of: Visit.self)
    var visit = Visit("Bern", when: Date(timeIntervalSince1970: 1.5))
    visit.isSelected = true
    let stored = try visits.insert(visit)
    #expect(stored.isSelected, "what is not stored stays with the object")
    #expect(try visits.first()?.isSelected == false)
    let described = try #require(try vault.classes().first)
    #expect(described.properties.map(\.name) == ["when", "place"])
  }

  @Test(
    "read the same whether given as the stored number or as the value it stands for",
    .covers("A41"))
  func duality() throws {
    let vault = try vault()
    let typed = try vault.store(of: Visit.self)
    let dynamic = try vault.store(named: "Visit")
    try typed.insert(Visit("a", when: Date(timeIntervalSince1970: 1_700_000_000.25)))
    var object = try DynamicObject(of: dynamic.classDescription)
    try object.set("place", to: .text("b"))
    try object.set("when", to: .real(1_700_000_000.25))
    try dynamic.insert(object)
    #expect(
      try typed.all().map(\.when.timeIntervalSince1970) == [1_700_000_000.25, 1_700_000_000.25])
    #expect(
      try dynamic.all().map { try $0.value(of: "when") } == [
        .real(1_700_000_000.25), .real(1_700_000_000.25),
      ])
    let moment = Date(timeIntervalSince1970: 1_700_000_000.25)
    #expect(try typed.where("when == %@", moment).count() == 2)
    #expect(try typed.where("when == %@", 1_700_000_000.25).count() == 2)
  }
}
