import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Objects of names and values") struct NamedValuesTests {
  private enum Size: String { case small, large }

  private struct Point: Codable, Hashable {
    var x: Int
    var label: String?
  }

  /// A property of each kind, some of which have a default.
  private struct Parcel: StoredObject, Hashable {
    var code: String
    var weight = 0.5
    var isSent = false
    var size = Size.small
    var second: Size?
    var sent: Date?
    var content: Data?
    var price: Decimal?
    var number: UUID?
    var place: URL?
    var stops: [Point] = []
    var count: UInt8 = 0
    var fraction: Float = 0

    init(_ code: String) { self.code = code }

    static let classDescription = ClassDescription(
      "Parcel",
      properties: [
        PropertyDescription("code", String.self),
        PropertyDescription("weight", Double.self, defaultValue: 0.5),
        PropertyDescription("isSent", Bool.self, defaultValue: false),
        PropertyDescription("size", Size.self, column: "kind"),
        PropertyDescription("second", Size?.self), PropertyDescription("sent", Date?.self),
        PropertyDescription("content", Data?.self), PropertyDescription("price", Decimal?.self),
        PropertyDescription("number", UUID?.self), PropertyDescription("place", URL?.self),
        PropertyDescription("stops", [Point].self, defaultValue: []),
        PropertyDescription("count", UInt8.self, defaultValue: 0),
        PropertyDescription("fraction", Float.self, defaultValue: 0),
      ], objectID: ["code"])

    init(row: Row) throws {
      code = try row.value(at: 0)
      weight = try row.value(at: 1)
      isSent = try row.value(at: 2)
      size = try row.value(at: 3)
      second = try row.value(at: 4)
      sent = try row.value(at: 5)
      content = try row.value(at: 6)
      price = try row.value(at: 7)
      number = try row.value(at: 8)
      place = try row.value(at: 9)
      stops = try row.value(at: 10)
      count = try row.value(at: 11)
      fraction = try row.value(at: 12)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(code, at: 0)
      try binder.bind(weight, at: 1)
      try binder.bind(isSent, at: 2)
      try binder.bind(size, at: 3)
      try binder.bind(second, at: 4)
      try binder.bind(sent, at: 5)
      try binder.bind(content, at: 6)
      try binder.bind(price, at: 7)
      try binder.bind(number, at: 8)
      try binder.bind(place, at: 9)
      try binder.bind(stops, at: 10)
      try binder.bind(count, at: 11)
      try binder.bind(fraction, at: 12)
    }

    var storedObjectID: String? { code }
  }

  private static var full: Parcel {
    var parcel = Parcel("a\"é")
    parcel.weight = 2
    parcel.isSent = true
    parcel.size = .large
    parcel.second = .small
    parcel.sent = Date(timeIntervalSince1970: 1_772_364_600.25)
    parcel.content = Data([0, 255])
    parcel.price = Decimal(string: "12.50")
    parcel.number = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")
    parcel.place = URL(string: "https://example.org/a?b=c")
    parcel.stops = [Point(x: 1), Point(x: 2, label: "b")]
    parcel.count = 255
    parcel.fraction = 0.1
    return parcel
  }

  private static let json =
    #"{"code":"a\"é","weight":2.0,"isSent":true,"size":"large","second":"small","#
    + #""sent":"2026-03-01T11:30:00.25Z","content":"AP8=","price":"12.5","#
    + #""number":"6F9619FF-8B86-D011-B42D-00C04FC964FF","place":"https://example.org/a?b=c","#
    + #""stops":[{"x":1},{"label":"b","x":2}],"count":255,"fraction":0.1}"#

  private let test: TestVault
  private let parcels: ObjectStore<Parcel>

  init() throws {
    test = try TestVault()
    parcels = try test.vault.store(of: Parcel.self)
  }

  private func failure<R>(_ body: () throws -> R) -> VaultError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? VaultError
    }
  }

  // MARK: Values

  @Test("take values as properties hold them, and defaults for the others", .covers("A58"))
  func values() throws {
    let full = Self.full
    let made = try parcels.object(from: [
      "code": full.code, "weight": 2, "isSent": true, "size": Size.large, "second": Size.small,
      "sent": full.sent, "content": full.content, "price": full.price, "number": full.number,
      "place": full.place, "stops": full.stops, "count": 255, "fraction": full.fraction,
    ])
    #expect(made == full)
    #expect(try parcels.object(from: ["code": "a", "size": "small"]) == Parcel("a"))
    #expect(try parcels.object(from: ["code": "a", "size": "small", "sent": nil]) == Parcel("a"))
    let people = try test.vault.store(of: Person.self)
    #expect(try people.object(from: ["name": "Ann", "age": 7]) == Person(name: "Ann", age: 7))
    #expect(try people.object(from: ["name": "Ann", "age": 7, "objectID": 3]).objectID == 3)
    #expect(try people.count() == 0, "nothing is stored")
  }

  @Test("give values that make an equal object", .covers("A58"))
  func valuesBack() throws {
    let values = try parcels.values(of: Self.full)
    #expect(values.count == 13)
    #expect(values["sent"] == .real(1_772_364_600.25) && values["size"] == .text("large"))
    #expect(values["stops"] == .text(#"[{"x":1},{"label":"b","x":2}]"#))
    #expect(try parcels.object(from: values) == Self.full)
    #expect(try parcels.values(of: Parcel("a"))["sent"] == .some(.null))
    let people = try test.vault.store(of: Person.self)
    var ann = Person(name: "Ann")
    #expect(try Set(people.values(of: ann).keys) == ["name", "age", "note"])
    try people.insert(assigningIDTo: &ann)
    #expect(try people.values(of: ann)["objectID"] == .integer(1))
    #expect(try people.object(from: people.values(of: ann)) == ann)
  }

  @Test("refuse a name that no property has, unless such are passed over", .covers("A58"))
  func unknown() throws {
    let people = try test.vault.store(of: Person.self)
    let values: [String: Any?] = ["name": "Ann", "age": 7, "Name": "SECRET", "kind": 1]
    for name in ["Name", "kind"] {
      let error = try #require(
        failure { try people.object(from: ["name": "a", "age": 1, name: "SECRET"]) })
      #expect(error.code == .noSuchProperty)
      #expect(error.message.contains("'Person'") && error.message.contains("'\(name)'"))
      #expect(!error.message.contains("SECRET"))
    }
    #expect(
      try people.object(from: values, ignoringUnknown: true) == Person(name: "Ann", age: 7))
    let json = Data(#"{"name":"Ann","age":7,"colour":["SECRET"]}"#.utf8)
    #expect(failure { try people.object(fromJSON: json) }?.code == .noSuchProperty)
    #expect(
      try people.object(fromJSON: json, ignoringUnknown: true) == Person(name: "Ann", age: 7))
    // A class whose objectID is bound has no generated one.
    #expect(
      failure { try parcels.object(from: ["code": "a", "size": "small", "objectID": 1]) }?.code
        == .noSuchProperty)
    // Properties go by their names, and not by those of their columns.
    #expect(
      failure { try parcels.object(from: ["code": "a", "kind": "small"]) }?.code == .noSuchProperty)
  }

  @Test("refuse what a property does not have, and no value where one is needed", .covers("A58"))
  func misfits() throws {
    let people = try test.vault.store(of: Person.self)
    let wrong: [[String: Any?]] = [
      ["name": "SECRET"], ["age": 7], ["name": nil, "age": 7], ["name": "SECRET", "age": nil],
      ["name": "a", "age": "SECRET"], ["name": "a", "age": 1.5], ["name": 4_711, "age": 1],
      ["name": ["SECRET"], "age": 1], ["name": "a", "age": 1, "objectID": "SECRET"],
    ]
    for values in wrong {
      for ignoring in [false, true] {
        let error = failure { try people.object(from: values, ignoringUnknown: ignoring) }
        #expect(error?.code == .invalidValue, "\(values.keys.sorted())")
        #expect(error?.message.contains("'Person'") == true)
        #expect(error?.message.contains("SECRET") == false)
      }
    }
    struct Unstorable {}
    #expect(
      failure { try people.object(from: ["name": Unstorable(), "age": 1]) }?.code
        == .invalidArgument)
    let raw = try #require(
      failure { try parcels.object(from: ["code": "a", "size": "SECRET"]) })
    #expect(raw.code == .invalidValue)
    #expect(raw.message.contains("'size'") && !raw.message.contains("SECRET"))
    #expect(
      failure { try parcels.object(from: ["code": "a", "size": "small", "count": 256]) }?.code
        == .invalidValue)
  }

  // MARK: JSON

  @Test("are JSON of one form, which makes an equal object", .covers("A58"))
  func json() throws {
    #expect(String(decoding: try parcels.json(of: Self.full), as: UTF8.self) == Self.json)
    #expect(try parcels.object(fromJSON: Data(Self.json.utf8)) == Self.full)
    let bare = Data(#"{ "size": "small", "code": "a", "second": null }"#.utf8)
    #expect(try parcels.object(fromJSON: bare) == Parcel("a"))
    #expect(try parcels.object(fromJSON: parcels.json(of: Parcel("a"))) == Parcel("a"))
    let people = try test.vault.store(of: Person.self)
    var ann = Person(name: "Ann", age: 7)
    #expect(
      String(decoding: try people.json(of: ann), as: UTF8.self)
        == #"{"name":"Ann","age":7,"note":null}"#)
    try people.insert(assigningIDTo: &ann)
    #expect(
      String(decoding: try people.json(of: ann), as: UTF8.self)
        == #"{"objectID":1,"name":"Ann","age":7,"note":null}"#)
    #expect(try people.object(fromJSON: people.json(of: ann)) == ann)
  }

  @Test("refuse JSON that is none, or of other kinds of values", .covers("A58"))
  func wrongJSON() throws {
    let people = try test.vault.store(of: Person.self)
    for text in ["", "SECRET", "[]", "7", #"{"name":"SECRET"#, #"{"name":"a","name":"SECRET"}"#] {
      let error = failure { try people.object(fromJSON: Data(text.utf8)) }
      #expect(error?.code == .invalidArgument, "\(text)")
      #expect(error?.message.contains("SECRET") == false)
    }
    for text in [
      #"{"name":"a"}"#, #"{"name":"a","age":"7"}"#, #"{"name":"a","age":7.5}"#,
      #"{"name":"a","age":9223372036854775808}"#, #"{"name":7,"age":7}"#,
      #"{"name":"a","age":null}"#, #"{"name":"a","age":true}"#,
      #"{"name":"a","age":7,"objectID":"SECRET"}"#,
    ] {
      let error = failure { try people.object(fromJSON: Data(text.utf8)) }
      #expect(error?.code == .invalidValue, "\(text)")
      #expect(error?.message.contains("SECRET") == false)
    }
    for member in [
      #""sent":"SECRET""#, #""content":"SECRET!""#, #""number":"SECRET""#, #""stops":[{"y":1}]"#,
      #""count":256"#, #""second":"SECRET""#, #""isSent":1"#, #""fraction":16777217"#,
    ] {
      let text = #"{"code":"a","size":"small",\#(member)}"#
      let error = failure { try parcels.object(fromJSON: Data(text.utf8)) }
      let name = String(member.split(separator: "\"")[0])
      #expect(error?.code == .invalidValue, "\(member)")
      #expect(error?.message.contains("'\(name)'") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains("SECRET") == false)
    }
  }

  // MARK: Classes described at run time

  @Test("of a class described at run time are made and given back alike", .covers("A58"))
  func dynamic() throws {
    let description = ClassDescription(
      "Room",
      properties: [
        PropertyDescription("name", String.self),
        PropertyDescription("floor", Int.self, defaultValue: 1),
        PropertyDescription("opened", Date?.self),
      ])
    let rooms = try test.vault.store(of: description)
    var room = try rooms.object(from: ["name": "a", "opened": Date(timeIntervalSince1970: 0.5)])
    #expect(try room.value(of: "floor") == .integer(1))
    #expect(try room.value(of: "opened") == .real(0.5))
    #expect(room.generatedID == nil)
    #expect(
      try rooms.values(of: room) == [
        "name": .text("a"), "floor": .integer(1), "opened": .real(0.5),
      ])
    room = try rooms.insert(room)
    #expect(room.generatedID == 1)
    #expect(
      String(decoding: try rooms.json(of: room), as: UTF8.self)
        == #"{"objectID":1,"name":"a","floor":1,"opened":"1970-01-01T00:00:00.5Z"}"#)
    #expect(try rooms.object(fromJSON: rooms.json(of: room)) == room)
    #expect(try rooms.object(from: rooms.values(of: room)) == room)
    #expect(failure { try rooms.object(from: ["name": "a", "wall": 1]) }?.code == .noSuchProperty)
    #expect(failure { try rooms.object(from: [:]) }?.code == .invalidValue)
    let partly = try #require(try rooms.query.all(only: "name").first)
    #expect(failure { try rooms.values(of: partly) }?.code == .notLoaded)
  }
}
