import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("Rows of SQL") struct SQLRowTests {
  private let test: TestVault
  private var vault: Vault { test.vault }

  private enum Colour: String, Codable {
    case red, blue
  }
  private struct Place: Codable, Equatable {
    var x: Int
    var y: Int
  }

  init() throws { test = try TestVault() }

  private func row(_ statement: SQLStatement) throws -> SQLRow {
    try #require(try vault.row(statement))
  }

  @Test("every value comes back as it was bound")
  func everyType() throws {
    let sample = try Everything.sample
    let row = try row(
      """
      SELECT \(sample.flag) AS flag, \(sample.small) AS small, \(sample.large) AS large,
        \(sample.single) AS single, \(sample.double) AS double, \(sample.text) AS text,
        \(sample.data) AS data, \(sample.date) AS date, \(sample.uuid) AS uuid,
        \(sample.url) AS url, \(sample.decimal) AS decimal, \(sample.list) AS list,
        \(sample.missing) AS missing, \(Colour.blue) AS colour, \(Place(x: 1, y: 2)) AS place
      """)
    #expect(try row.value("flag", as: Bool.self) == sample.flag)
    #expect(try row.value("small", as: Int8.self) == sample.small)
    #expect(try row.value("large", as: UInt64.self) == sample.large)
    #expect(try row.value("single", as: Float.self) == sample.single)
    #expect(try row.value("double", as: Double.self) == sample.double)
    #expect(try row.value("text", as: String.self) == sample.text)
    #expect(try row.value("data", as: Data.self) == sample.data)
    #expect(try row.value("uuid", as: UUID.self) == sample.uuid)
    #expect(try row.value("url", as: URL.self) == sample.url)
    #expect(try row.value("decimal", as: Decimal.self) == sample.decimal)
    #expect(try row.value("list", as: [String].self) == sample.list)
    #expect(try row.value("missing", as: String?.self) == nil)
    #expect(try row.value("colour", as: Colour.self) == .blue)
    #expect(try row.value("colour", as: Colour?.self) == .blue)
    #expect(try row.value("missing", as: Colour?.self) == nil)
    #expect(try row.value("place", as: Place.self) == Place(x: 1, y: 2))
    #expect(try row.value(at: 1, as: Int.self) == -128)
    let made: Everything = try self.row(
      """
      SELECT 1 AS flag, -128 AS small, 5 AS large, 0.5 AS single, 1.5 AS double, 't' AS text,
        x'00' AS data, 0 AS date, \(sample.uuid) AS uuid, \(sample.url) AS url, '1.5' AS decimal,
        '["a"]' AS list, NULL AS missing, 9 AS objectID
      """
    ).object()
    #expect(made.small == -128 && made.list == ["a"] && made.objectID == 9)
  }

  @Test("a value of another type is an error that names the column, never rounded or cut")
  func misfits() throws {
    let row = try row(
      """
      SELECT 300 AS big, -1 AS negative, 3.0 AS whole, 3.7 AS real, '12' AS text, NULL AS none,
        x'3132' AS blob, 9007199254740993 AS odd, 2 AS two, 'green' AS colour, '[1' AS json,
        16777217 AS long, 16777217.0 AS fine, 0.1 AS tenth, 1e300 AS vast
      """)
    func misfit<T: StorableValue>(_ column: String, _ type: T.Type) -> String? {
      do {
        _ = try row.value(column, as: type)
        return nil
      } catch let error as VaultError {
        return error.code == .invalidValue ? error.message : nil
      } catch { return nil }
    }
    #expect(misfit("big", UInt8.self)?.contains("Column 'big'") == true)
    for column in ["whole", "real", "text", "none", "blob"] {
      #expect(misfit(column, Int.self)?.contains("Column '\(column)'") == true, "\(column)")
    }
    for column in ["big", "real", "none", "blob"] {
      #expect(misfit(column, String.self) != nil, "\(column)")
    }
    #expect(misfit("negative", UInt.self) != nil)
    #expect(misfit("odd", Double.self) != nil)
    for column in ["long", "fine", "tenth", "vast"] {
      #expect(misfit(column, Float.self) != nil && misfit(column, Double.self) == nil, "\(column)")
    }
    #expect(misfit("two", Bool.self) != nil)
    #expect(misfit("text", Data.self) != nil)
    #expect(misfit("text", UUID.self) != nil)
    #expect(misfit("real", Decimal.self) != nil)
    #expect(try row.value("big", as: Double.self) == 300)
    #expect(try row.value("text", as: Decimal.self) == 12)
    #expect(code { _ = try row.value("colour", as: Colour.self) } == .invalidValue)
    #expect(code { _ = try row.value("json", as: [Int].self) } == .invalidValue)
    #expect(code { _ = try row.value("nothing", as: Int.self) } == .notLoaded)
    #expect(code { _ = try row.value(at: 99, as: Int.self) } == .invalidArgument)
    #expect(code { _ = try row.value(at: -1, as: Int.self) } == .invalidArgument)
    #expect(row[99] == nil && row[-1] == nil && row["nothing"] == nil)
  }

  @Test("of columns of one name the first is meant; each has its position")
  func duplicates() throws {
    let row = try row("SELECT 1 AS a, 2 AS a, 3 AS A, 4 AS b")
    #expect(row["a"] == .integer(1) && row["A"] == .integer(3) && row["B"] == .integer(4))
    #expect(row.values == [.integer(1), .integer(2), .integer(3), .integer(4)])
    #expect(row.dictionary == ["a": .integer(1), "A": .integer(3), "b": .integer(4)])
    #expect(row.count == 4)
  }

  private struct Report: Decodable, Equatable {
    var name: String
    var n: Int8
    var share: Double?
    var colour: Colour
    var other: Colour?
    var place: Place
    var places: [Place]?
    var when: Date
    var id: UUID
    var price: Decimal
    var bytes: Data
  }

  @Test("columns with canonically equivalent names are different ones, as in SQLite")
  func equivalentNames() throws {
    let row = try row("SELECT 1 AS \"\u{E9}\", 2 AS \"e\u{301}\", 3 AS \"E\u{301}x\"")
    #expect(row["\u{E9}"] == .integer(1) && row["e\u{301}"] == .integer(2))
    #expect(try row.value("e\u{301}", as: Int.self) == 2)
    #expect(row["e\u{301}x"] == .integer(3) && row["\u{E9}x"] == nil)
    let (composed, decomposed) = (
      try self.row("SELECT 1 AS \"\u{E9}\""), try self.row("SELECT 1 AS \"e\u{301}\"")
    )
    #expect(composed != decomposed)
  }

  @Test("a row becomes any Decodable type, its members as a class would keep them")
  func decoding() throws {
    let sample = try Everything.sample
    let row = try row(
      """
      SELECT 'a' AS name, 7 AS n, NULL AS share, \(Colour.red) AS colour, NULL AS other,
        \(Place(x: 1, y: 2)) AS place, \([Place(x: 3, y: 4)]) AS places, 2.5 AS "when",
        \(sample.uuid) AS id, \(sample.decimal) AS price, \(sample.data) AS bytes, 0 AS more
      """)
    let report = try row.decode(Report.self)
    #expect(
      report
        == Report(
          name: "a", n: 7, share: nil, colour: .red, other: nil, place: Place(x: 1, y: 2),
          places: [Place(x: 3, y: 4)], when: Date(timeIntervalSince1970: 2.5), id: sample.uuid,
          price: sample.decimal, bytes: sample.data))
    #expect(try self.row("SELECT 1 AS a, 2 AS b").decode([String: Int].self) == ["a": 1, "b": 2])
    #expect(try self.row("SELECT 5").decode(Int.self) == 5)
    #expect(try self.row("SELECT 2.5").decode(Date.self) == Date(timeIntervalSince1970: 2.5))
    #expect(try self.row("SELECT 2.5").decode(Date?.self) == Date(timeIntervalSince1970: 2.5))
    #expect(try self.row("SELECT \(sample.decimal)").decode(Decimal.self) == sample.decimal)
    #expect(try self.row("SELECT \(sample.url)").decode(URL.self) == sample.url)
    #expect(try self.row("SELECT \(sample.data)").decode(Data.self) == sample.data)
    #expect(code { _ = try row.decode(Place.self) } == .notLoaded)
    #expect(code { _ = try row.decode([Int].self) } == .invalidValue)
    #expect(
      code { _ = try self.row("SELECT 1.5 AS x, 2 AS y").decode(Place.self) } == .invalidValue)
    #expect(
      code { _ = try self.row("SELECT 1 AS x, NULL AS y").decode(Place.self) } == .invalidValue)
  }

  @Test("text that is no UTF-8 is an error, and its bytes can be had")
  func invalidText() throws {
    #expect(code { _ = try vault.rows("SELECT CAST(x'41FF42' AS TEXT) AS t") } == .invalidValue)
    #expect(
      try row("SELECT CAST(CAST(x'41FF42' AS TEXT) AS BLOB) AS t")["t"]
        == .blob([0x41, 0xFF, 0x42]))
    #expect(try row("SELECT CAST(x'410042' AS TEXT) AS t")["t"] == .text("A\0B"))
  }

  @Test("large values pass")
  func large() throws {
    let bytes = [UInt8](repeating: 7, count: 20_000_000)
    #expect(try row("SELECT \(bytes) AS b").value("b", as: [UInt8].self) == bytes)
  }
}
