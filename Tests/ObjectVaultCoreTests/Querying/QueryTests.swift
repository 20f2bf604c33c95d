import Foundation
import ObjectVaultCore
import ObjectVaultSession
import Testing
import TestSupport

import ObjectVaultStores

/// The class of the examples in the acceptance rows about conditions.
private struct Record: StoredObject, GeneratesObjectID, Hashable {
  var objectID: Int64?
  var stringValue: String
  var numValue: Int
  var tags: [String]
  var bytes: Data
  var when: Date?

  init(_ text: String, _ number: Int, tags: [String] = [], bytes: Data = Data(), when: Date? = nil)
  {
    stringValue = text
    numValue = number
    self.tags = tags
    self.bytes = bytes
    self.when = when
  }

  static let classDescription = ClassDescription(
    "Record",
    properties: [
      PropertyDescription("stringValue", String.self), PropertyDescription("numValue", Int.self),
      PropertyDescription("tags", [String].self), PropertyDescription("bytes", Data.self),
      PropertyDescription("when", Date?.self),
    ])

  init(row: Row) throws {
    stringValue = try row.value(at: 0)
    numValue = try row.value(at: 1)
    tags = try row.value(at: 2)
    bytes = try row.value(at: 3)
    when = try row.value(at: 4)
    objectID = try row.value(at: 5)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(stringValue, at: 0)
    try binder.bind(numValue, at: 1)
    try binder.bind(tags, at: 2)
    try binder.bind(bytes, at: 3)
    try binder.bind(when, at: 4)
  }
}

@Suite("Query", .covers("J2", "P3")) struct QueryTests {
  private let test: TestVault
  private let records: ObjectStore<Record>

  init() throws {
    test = try TestVault()
    records = try test.vault.store(of: Record.self)
    try records.insert(contentsOf: [
      Record("hello", 123, tags: ["array1", "array2"], bytes: Data([1, 2])),
      Record("hello", 5, when: Date(timeIntervalSince1970: 1000.25)),
      Record("it's", 200), Record("World", -1, tags: ["array2", "array1"]), Record("_%", 7),
    ])
  }

  private func numbers(_ format: String, _ arguments: Any?...) throws -> [Int] {
    try records.where(format, arguments: arguments).all().map(\.numValue)
  }

  @Test("arguments are values, never text", .covers("S31", "S32", "S36", "A10"))
  func arguments() throws {
    #expect(try numbers("stringValue = %@", "hello") == [123, 5])
    #expect(try numbers("stringValue == %@", "it's") == [200])
    #expect(try numbers("stringValue == %@", "' OR 1=1 --").isEmpty)
    #expect(try numbers("stringValue == %@ && numValue >= %@", "hello", 123) == [123])
    #expect(try numbers("$low <= numValue", arguments: [], named: ["low": 100]) == [123, 200])
  }

  private func numbers(
    _ format: String, arguments: [Any?], named: [String: Any?]
  ) throws -> [Int] {
    try records.where(format, arguments: arguments, named: named).all().map(\.numValue)
  }

  @Test(
    "every comparison compares", .covers("S33", "X25", "X32"),
    arguments: [
      ("numValue > 123", [200]), ("numValue < 5", [-1]), ("numValue == 5", [5]),
      ("numValue = 5", [5]), ("numValue >= 123", [123, 200]), ("numValue <= 5", [5, -1]),
      ("numValue != 5", [123, 200, -1, 7]), ("numValue > '100'", [123, 200]),
      ("stringValue LIKE '%ORL%'", [-1]), ("stringValue LIKE '\\_\\%'", [7]),
      ("stringValue CONTAINS '%'", [7]), ("stringValue BEGINSWITH 'it'", [200]),
      ("numValue IN {5, 7, 1000}", [5, 7]), ("numValue BETWEEN {5, 123}", [123, 5, 7]),
      ("when == nil", [123, 200, -1, 7]), ("when != nil", [5]),
    ])
  func comparisons(format: String, expected: [Int]) throws {
    #expect(try numbers(format) == expected)
  }

  @Test("&& binds tighter than ||, and parentheses tighter still", .covers("S34", "S35", "X34"))
  func precedence() throws {
    #expect(try numbers("numValue == 5 || numValue == 7 && stringValue == 'x'") == [5])
    #expect(try numbers("(numValue == 5 || numValue == 7) && stringValue == '_%'") == [7])
    // A second condition narrows the first wholly, whatever stands in it.
    let either = records.where("numValue == 5 || numValue == 7")
    #expect(try either.where("stringValue == 'hello'").all().map(\.numValue) == [5])
  }

  @Test("composites and bytes compare as wholes", .covers("S37", "J63", "A29", "D5"))
  func composites() throws {
    #expect(try numbers("tags == %@", ["array1", "array2"]) == [123])
    #expect(try numbers("tags != %@", ["array1", "array2"]) == [5, 200, -1, 7])
    #expect(try numbers("tags == %@", [String]()) == [5, 200, 7])
    #expect(try numbers("bytes == %@", Data([1, 2])) == [123])
    #expect(try numbers("bytes == %@", [1, 2] as [UInt8]) == [123])
    #expect(code { _ = try numbers("bytes < %@", Data([1])) } == .invalidCondition)
    #expect(code { _ = try numbers("tags > %@", ["a"]) } == .invalidCondition)
  }

  @Test("literals stand in quotes, numbers bare", .covers("S38"))
  func literals() throws {
    #expect(try numbers("stringValue == 'hello' && numValue = 5") == [5])
    #expect(try numbers("stringValue == 'it''s'") == [200])
    #expect(try numbers("stringValue == \"it's\"") == [200])
  }

  @Test("dates are compared as they are stored", .covers("A26", "A30", "P76"))
  func dates() throws {
    #expect(try numbers("when == %@", Date(timeIntervalSince1970: 1000.25)) == [5])
    #expect(try numbers("when > %@", Date(timeIntervalSince1970: 1000)) == [5])
    #expect(try numbers("when < '1970-01-01T00:16:41Z'") == [5])
  }

  @Test(
    "what cannot be right fails with its place, and nothing is returned", .covers("S39", "J35"),
    arguments: [
      ("nam == 1", 0), ("numValue ==", 11), ("numValue == 1 &&", 16), ("(numValue == 1", 0),
      ("numValue == 'abc'", 12), ("stringValue == %@", 15), ("numValue < nil", 11),
    ])
  func errors(format: String, offset: Int) throws {
    let error = try #require(throws: VaultError.self) { try records.where(format).validate() }
    #expect(error.code == .invalidCondition || error.code == .noSuchProperty)
    #expect(error.location?.offset == offset, "\(error)")
    #expect(error.location?.excerpt.contains("^") == true)
  }

  @Test("an error has the position in its own text, whatever equal conditions came before")
  func ownPositions() throws {
    _ = try records.where(ObjectCondition("          numValue >= %@", 1)).count()
    let error = #expect(throws: VaultError.self) {
      try records.where(ObjectCondition("numValue >= %@", "abc")).count()
    }
    #expect(error?.location?.offset == 12, "\(error as Any)")
  }

  @Test("a misspelt property is told its neighbour")
  func suggestion() throws {
    let error = try #require(throws: VaultError.self) {
      try records.where("numValu == 1").validate()
    }
    #expect(error.code == .noSuchProperty)
    #expect(error.message.contains("'numValue'"))
  }

  @Test(
    "orders by several properties, each in its direction",
    .covers("S40", "S41", "X31", "X33", "J33"))
  func sorting() throws {
    func order(_ sorts: Sort...) throws -> [Int] {
      try records.query.sorted(by: sorts).all().map(\.numValue)
    }
    #expect(try order("stringValue", "numValue") == [-1, 7, 5, 123, 200])
    #expect(try order("stringValue", .descending("numValue")) == [-1, 7, 123, 5, 200])
    #expect(try order(.descending("stringValue")) == [200, 123, 5, 7, -1])
    #expect(try order("when") == [123, 200, -1, 7, 5])
    #expect(try order(.descending("when")) == [5, 123, 200, -1, 7])
    #expect(
      try records.query.sorted(by: ["stringValue", "numValue"], ascending: false).all()
        .map(\.numValue) == [200, 123, 5, 7, -1])
    #expect(
      try records.where("numValue > 0").sorted(by: "numValue").all().map(\.numValue)
        == [5, 7, 123, 200])
    #expect(code { _ = try order("nothing") } == .noSuchProperty)
  }

  @Test("condition, order and range act together, and each may be absent", .covers("S31", "X33"))
  func together() throws {
    let numbers = { (query: Query<Record>) in try query.all().map(\.numValue) }
    let positive = records.where("numValue > 0")
    let largest = positive.sorted(by: .descending("numValue"))
    #expect(try numbers(records.query) == [123, 5, 200, -1, 7])
    #expect(try numbers(positive) == [123, 5, 200, 7])
    #expect(try numbers(largest) == [200, 123, 7, 5])
    #expect(try numbers(largest.range(offset: 1, length: 2)) == [123, 7])
    #expect(try numbers(positive.range(offset: 1, length: 2)) == [5, 200])
    #expect(try numbers(records.query.sorted(by: "numValue").range(length: 2)) == [-1, 5])
  }

  @Test(
    "a range leaves out and limits", .covers("S42", "S43", "S44", "S45", "S46"),
    arguments: [
      (0, nil, [123, 5, 200, -1, 7]), (3, nil, [-1, 7]), (0, 2, [123, 5]), (1, 3, [5, 200, -1]),
      (3, 0, []), (0, 0, []), (5, nil, []), (99, 5, []), (3, 99, [-1, 7]),
    ] as [(Int, Int?, [Int])])
  func ranges(offset: Int, length: Int?, expected: [Int]) throws {
    let query = records.query.range(offset: offset, length: length)
    #expect(try query.all().map(\.numValue) == expected)
    #expect(try query.count() == expected.count)
    #expect(try query.exists() == !expected.isEmpty)
    #expect(try query.first()?.numValue == expected.first)
  }

  @Test("reads the properties asked for and nothing else", .covers("S67"))
  func values() throws {
    let some = records.where("numValue > 0").sorted(by: .descending("numValue"))
    #expect(try some.values(of: "stringValue") == ["it's", "hello", "_%", "hello"])
    #expect(try some.range(length: 2).values(of: "numValue", as: Int.self) == [200, 123])
    #expect(try some.range(length: 1).values(of: ["objectID", "when"]) == [[.integer(3), .null]])
    // A value that cannot be read as its property does no harm where it is not read.
    try test.vault.file().join { try $0.execute("UPDATE Record SET numValue = 'broken'") }
    #expect(code { _ = try records.all() } == .invalidValue)
    #expect(try records.query.values(of: "stringValue", as: String.self).count == 5)
    #expect(code { _ = try records.query.values(of: ["nothing"]) } == .noSuchProperty)
    #expect(code { _ = try records.query.values(of: []) } == .invalidArgument)
  }

  @Test("a negative range is refused", .covers("S42", "S43"))
  func negativeRange() {
    #expect(code { try records.query.range(offset: -1).validate() } == .invalidArgument)
    #expect(code { try records.query.range(length: -1).validate() } == .invalidArgument)
  }

  @Test("lists may be longer than a statement can bind")
  func longList() throws {
    #expect(try numbers("numValue IN %@", Array(5...6000)) == [123, 5, 200, 7])
    let cursor = try records.where("numValue IN %@", Array(5...6000)).cursor()
    var seen: [Int] = []
    while let record = try cursor.next() {
      seen.append(record.numValue)
      #expect(try records.where("NOT numValue IN %@", Array(5...3000)).count() == 1)
    }
    #expect(seen == [123, 5, 200, 7])
  }

  @Test("removing by a list longer than a statement can bind counts what was removed")
  func removeByLongList() throws {
    #expect(try records.where("numValue IN %@", Array(5...6000)).remove() == 4)
    #expect(try records.where("numValue IN %@", Array(5...6000)).remove() == 0)
    #expect(try records.count() == 1)
  }

  @Test("conditions whose texts differ only by canonical equivalence ask for different texts")
  func equivalentTexts() throws {
    try records.insert(contentsOf: [Record("\u{E9}", 1), Record("e\u{301}", 2)])
    #expect(try numbers("stringValue == '\u{E9}'") == [1])
    #expect(try numbers("stringValue == 'e\u{301}'") == [2])
  }

  @Test("an argument that no property could have is refused")
  func strangeArgument() {
    struct Strange {}
    #expect(code { try records.where("numValue == %@", Strange()).validate() } == .invalidArgument)
    #expect(code { try records.where("numValue == %@", 1, 2).validate() } == .invalidCondition)
  }
}
