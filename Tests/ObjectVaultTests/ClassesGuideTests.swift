import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the guide "What a class says of its table", line by line as it stands there.
@Suite("The guide to classes") struct ClassesGuideTests {
  @Stored(
    table: "people", indexes: [["town", "name"]], unique: [["town", "street", "number"]],
    columnOrder: .keysFirst, insertionTime: true)
  struct Person {
    @Column(length: .atMost(40)) var name: String
    @Column("birth_date", type: "DATETIME") var born: Date?
    @Column(constraints: "CHECK (\"age\" >= 0)") var age: Int = 0
    @Indexed(unique: true) var email: String?
    var town: String
    var street: String = ""
    var number: Int = 0
    @Ignored var isSelected: Bool = false
  }

  @Stored(withoutRowID: true)
  struct Setting {
    @ObjectID var name: String
    var value: String
  }

  @Stored(only: ["place", "day"])
  struct Visit {
    var day: Date
    var place: String
    var isSelected = false
  }

  @Stored(table: .plural, renamedFrom: ["UserModel"])
  struct UserModel {
    var name: String
  }

  struct Celsius: ConvertibleToStorable, Equatable {
    var degrees: Double
    init(stored degrees: Double) { self.degrees = degrees }
    var stored: Double { degrees }
  }

  @Stored
  struct Measurement {
    var place: String
    var temperature: Celsius
  }

  struct Colour: Equatable {
    var red: UInt8, green: UInt8, blue: UInt8
  }

  enum HexColour: PropertyConverter {
    static func stored(_ colour: Colour) -> String {
      String(format: "#%02X%02X%02X", colour.red, colour.green, colour.blue)
    }
    static func value(_ stored: String) throws -> Colour {
      guard stored.hasPrefix("#"), stored.utf8.count == 7,
        let rgb = UInt32(stored.dropFirst(), radix: 16)
      else { throw NotAColour() }
      return Colour(red: UInt8(rgb >> 16), green: UInt8(rgb >> 8 & 255), blue: UInt8(rgb & 255))
    }
    struct NotAColour: Error {}
  }

  enum Cents: PropertyConverter {
    static func stored(_ price: Decimal) -> Int { NSDecimalNumber(decimal: price * 100).intValue }
    static func value(_ stored: Int) -> Decimal { Decimal(stored) / 100 }
  }

  @Stored
  struct Paint {
    var name: String
    @Column(converter: HexColour.self) @Indexed(unique: true) var colour: Colour
    @Column(converter: HexColour.self) var border: Colour?
    @Column(converter: Cents.self) var price: Decimal
  }

  private let folder: TemporaryFolder
  private let vault: Vault

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(at: folder.file("a.vault"), key: .raw(1...32))
  }

  @Test("says of tables what they do")
  func tables() throws {
    let people = try vault.store(of: Person.self)
    try people.insert(Person(name: "Bo", town: "Bern"))
    do {
      try people.insert(Person(name: "Li", age: -1, town: "Bern"))
    } catch let error as VaultError where error.code == .constraint {
      print(error.message)
    }
    #expect(try people.count() == 1)
    let error = #expect(throws: VaultError.self) {
      try people.insert(Person(name: String(repeating: "x", count: 41), town: ""))
    }
    #expect(error?.code == .constraint)
    let when = try people.insertionDate(of: 1)
    let gone = try people.removeAll(insertedBefore: Date(timeIntervalSinceNow: -30 * 86_400))
    #expect(when.map { abs($0.timeIntervalSinceNow) < 3600 } == true)
    #expect(gone == 0)
    let columns = try vault.rows("SELECT * FROM people").map(\.columnNames)
    #expect(
      columns == [
        [
          "objectID", "email", "town", "street", "number", "name", "birth_date", "age",
          "ov_inserted",
        ]
      ])
  }

  @Test("says of lists what is stored of them", .covers("X47", "P57"))
  func listed() throws {
    let visits = try vault.store(of: Visit.self)
    let day = Date(timeIntervalSince1970: 1.5)
    try visits.insert(Visit(day: day, place: "Bern", isSelected: true))
    let visit = try visits.first()
    #expect(visit?.day == day && visit?.place == "Bern" && visit?.isSelected == false)
    let columns = try vault.row("SELECT * FROM Visit").map(\.columnNames)
    #expect(columns == ["objectID", "place", "day"])
  }

  @Test("says of plurals which tables they name", .covers("P54"))
  func plurals() throws {
    let properties = [PropertyDescription("name", String.self)]
    let before = try vault.store(of: ClassDescription("UserModel", properties: properties))
    try before.insert(before.object(from: ["name": "Li"]))
    vault.close()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw(1...32))
    let users = try vault.store(of: UserModel.self)
    #expect(users.classDescription.table == "users")
    #expect(try users.all().map(\.name) == ["Li"])
    #expect(try vault.row("SELECT count(*) AS n FROM users")?.value("n", as: Int.self) == 1)
  }

  @Test("says of types and options what they do")
  func types() throws {
    let settings = try vault.store(of: Setting.self)
    try settings.insert(contentsOf: [
      Setting(name: "b", value: "1"), Setting(name: "a", value: "2"),
    ])
    #expect(try settings.all().map(\.name) == ["a", "b"])
    let measurements = try vault.store(of: Measurement.self)
    try measurements.insert(Measurement(place: "Bern", temperature: Celsius(stored: 21.5)))
    let warm = try measurements.where("temperature > %@", Celsius(stored: 20)).all()
    #expect(warm.map(\.temperature) == [Celsius(stored: 21.5)])
    let name = PropertyDescription("name", String.self).columnDefined(length: .atMost(40))
    let described = ClassDescription(
      "Guest", properties: [name], objectID: ["name"],
      options: TableOptions(withoutRowID: true, insertionTime: true))
    let guests = try vault.store(of: described)
    #expect(try guests.count() == 0)
    #expect(try vault.classes().first { $0.name == "Guest" } == described)
  }

  @Test("says of converters what they do", .covers("A39", "P61", "P62"))
  func converters() throws {
    let paints = try vault.store(of: Paint.self)
    let green = Colour(red: 0, green: 255, blue: 0)
    try paints.insert(contentsOf: [
      Paint(name: "a", colour: Colour(red: 255, green: 0, blue: 0), price: 12.5),
      Paint(name: "b", colour: green, border: green, price: 30),
    ])
    let red = Colour(red: 255, green: 0, blue: 0)
    let found = try paints.where { $0.colour == red && $0.price < 20 }.all()
    let same = try paints.where("colour == %@ || colour == '#00FF00'", red).all()
    let reddish = try paints.where { $0.colour.stored.hasPrefix("#FF") }.values(of: \.colour)
    try paints.where("price > %@", Decimal(100)).update(set: [
      "colour": red, "price": Decimal(99.5),
    ])
    #expect(found.map(\.name) == ["a"] && same.count == 2 && reddish == [red])
    #expect(try paints.query.values(of: "price", as: Int.self) == [1250, 3000])
    #expect(
      try vault.row("SELECT border FROM \"Paint\" WHERE name = 'b'")?
        .value("border", as: String.self) == "#00FF00")
  }

  @Test("says of names, values and JSON what becomes of them", .covers("A58"))
  func values() throws {
    let people = try vault.store(of: Person.self)
    let li = try people.object(from: ["name": "Li", "age": 7, "town": "Bern"])
    let json = try people.json(of: li)
    let same = try people.object(fromJSON: json)
    let values = try people.values(of: same)
    let bo: [String: Any?] = ["name": "Bo", "town": "Bern", "shoe": 37]
    let some = try people.object(from: bo, ignoringUnknown: true)
    #expect(same.name == "Li" && same.age == 7 && same.objectID == nil)
    #expect(values["town"] == .text("Bern") && values["born"] == .some(.null))
    #expect(some.age == 0 && !some.isSelected)
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"name":"Li","born":null,"age":7,"email":null,"town":"Bern","street":"","number":0}"#)
    let error = #expect(throws: VaultError.self) { try people.object(from: ["shoe": 37]) }
    #expect(error?.code == .noSuchProperty)
  }

  @Stored
  struct Login {
    var name: String
    @Indexed var validUntil: Date?
  }

  @Stored
  struct Message {
    var text: String
    @Indexed var received: Date
  }

  @Test("Objects expire by rules")
  func expiry() throws {
    let folder = try TemporaryFolder()
    var configuration = VaultConfiguration()
    configuration.expiry = [
      try ExpiryRule(Login.self, at: \.validUntil),
      try ExpiryRule(Message.self, at: \.received, after: .seconds(30 * 86_400)),
    ]
    let vault = try Vault(
      at: folder.file("school.vault"), key: .raw([UInt8](1...32)), configuration: configuration)
    let (old, recent) = (Date(timeIntervalSinceNow: -31 * 86_400), Date())
    try vault.store(of: Login.self).insert(contentsOf: [
      Login(name: "a", validUntil: old), Login(name: "b", validUntil: nil),
    ])
    try vault.store(of: Message.self).insert(contentsOf: [
      Message(text: "old", received: old), Message(text: "recent", received: recent),
    ])
    let removed = try vault.removeExpired()
    #expect(removed == 2)
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/Classes.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Classes.md").count > 35)
  }
}
