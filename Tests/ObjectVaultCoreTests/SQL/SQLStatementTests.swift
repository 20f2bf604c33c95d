import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// A class that names its properties, with columns named otherwise.
private struct Reading: StoredObject {
  var sensor: String
  var degrees: Double
  var room: String?

  static let classDescription = ClassDescription(
    "Reading", table: "sensor readings",
    properties: [
      PropertyDescription("sensor", String.self),
      PropertyDescription("degrees", Double.self, column: "°C"),
      PropertyDescription("room", String?.self),
    ], objectID: ["sensor"])
  static var propertyNames: [AnyKeyPath: String] {
    [\Self.sensor: "sensor", \Self.degrees: "degrees", \Self.room: "nowhere"]
  }

  var storedObjectID: String? { sensor }

  init(row: Row) throws {
    sensor = try row.value(at: 0)
    degrees = try row.value(at: 1)
    room = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(sensor, at: 0)
    try binder.bind(degrees, at: 1)
    try binder.bind(room, at: 2)
  }
}

@Suite("Statements of SQL") struct SQLStatementTests {
  private enum Colour: String, Codable {
    case red = "it's red"
  }
  private struct Point: Codable {
    var y = 2
    var x = 1
  }

  @Test("every value becomes a question mark, bound as a class would store it")
  func values() throws {
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let decimal = try #require(Decimal(string: "12.50"))
    let missing: String? = nil
    let colour: Colour? = .red
    let numbers = [1, 2]
    let statement: SQLStatement = """
      \(true) \(7) \(1.5) \("it's; DROP") \(Data([0, 39])) \(Date(timeIntervalSince1970: 3)) \(uuid)
      \(decimal) \(Colour.red) \(colour) \(missing) \(numbers) \(Point()) \(StoredValue.text("s"))
      """
    #expect(statement.sql == "? ? ? ? ? ? ?\n? ? ? ? ? ? ?")
    let expected: [StoredValue] = [
      .integer(1), .integer(7), .real(1.5), .text("it's; DROP"), .blob([0, 39]), .real(3),
      uuid.storedValue, .text("12.5"), .text("it's red"), .text("it's red"), .null,
      .text("[1,2]"), .text(#"{"x":1,"y":2}"#), .text("s"),
    ]
    #expect(statement.values.count == expected.count)
    for (value, expected) in zip(statement.values, expected) { #expect(value == expected) }
  }

  @Test("lists are for IN, and an empty one holds nothing")
  func lists() {
    let ages = [7, 9]
    let mixed: [any StorableValue] = [1, "a", 2.5]
    let statement: SQLStatement = "a IN \(list: ages) b IN \(list: mixed) c IN \(list: [Int]())"
    #expect(statement.sql == "a IN (?, ?) b IN (?, ?, ?) c IN (SELECT NULL WHERE 0)")
    #expect(
      statement.values == [.integer(7), .integer(9), .integer(1), .text("a"), .real(2.5)])
    #expect(("\(list: [Colour.red])" as SQLStatement).values == [.text("it's red")])
    #expect(("\(list: [StoredValue.null])" as SQLStatement).sql == "(?)")
  }

  @Test("names are quoted whatever stands in them, and a class gives its table and columns")
  func names() {
    let statement: SQLStatement = """
      SELECT r.\(column: \Reading.degrees), \(name: "a`b\"; DROP TABLE x --") \
      FROM \(Reading.self) r, \(table: Reading.self), \(table: Reading.classDescription)
      """
    #expect(
      statement.sql
        == "SELECT r.`°C`, `a``b\"; DROP TABLE x --` "
        + "FROM `sensor readings` r, `sensor readings`, `sensor readings`")
    #expect(statement.values.isEmpty)
  }

  @Test("statements go into one another with their values in order")
  func splicing() {
    let adult: SQLStatement = "age >= \(18)"
    let both: SQLStatement = "\("a") < name AND \(adult) AND \(unchecked: "1 = 1")"
    #expect(both.sql == "? < name AND age >= ? AND 1 = 1")
    #expect(both.values == [.text("a"), .integer(18)])
    var sum = "SELECT * WHERE " + both
    sum += " LIMIT \(3)"
    sum.append(" OFFSET \(4)")
    #expect(sum.sql == "SELECT * WHERE ? < name AND age >= ? AND 1 = 1 LIMIT ? OFFSET ?")
    #expect(sum.values == [.text("a"), .integer(18), .integer(3), .integer(4)])
    let joined = [adult, "x", adult].joined(separator: " AND ")
    #expect(joined == "age >= \(18) AND x AND age >= \(18)")
    #expect([SQLStatement]().joined(separator: ", ") == "")
    #expect(SQLStatement(unchecked: "a = ?", values: [.integer(1)]) == "a = \(1)")
    #expect(("a = \(1)" as SQLStatement) != "a = \(2)")
  }

  @Test("nothing that shows a statement shows a value")
  func showing() {
    let statement: SQLStatement = "SELECT \("MARKER-of-secrecy")"
    var dumped = ""
    dump(statement, to: &dumped)
    dump([statement], to: &dumped)
    for shown in [
      "\(statement)" as String, String(describing: statement), String(reflecting: statement),
      String(describing: [statement]), String(describing: Optional(statement)), dumped,
    ] {
      #expect(!shown.contains("MARKER"), "\(shown)")
      #expect(shown.contains("SELECT ?"))
    }
  }
}
