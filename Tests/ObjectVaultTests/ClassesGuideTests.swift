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

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/Classes.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Classes.md").count > 35)
  }
}
