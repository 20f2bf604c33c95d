import Foundation
import ObjectVault
import TestSupport
import Testing

private enum ElementGrade: String, Codable { case low, high }

private struct Casing: Codable, Hashable {
  var bool = true
  var int = 7
  var float: Float = 0.1
  var double = 0.1
  var text = "a"
  var date = Date(timeIntervalSince1970: 86_400.5)
  var decimal: Decimal = 1.5
  var grade = ElementGrade.high
}

@Stored
private struct Casket {
  var name: String
  var bools: [Bool] = []
  var ints: [Int8] = []
  var floats: Set<Float> = []
  var doubles: [Double] = []
  var texts: [String] = []
  var dates: [Date] = []
  var ids: [UUID] = []
  var links: [URL] = []
  var decimals: [Decimal] = []
  var grades: [ElementGrade] = []
  var weights: [String: Float] = [:]
  var prices: [String: Decimal] = [:]
  var part: Casing?
  var float: Float = 0.1
  var price: Decimal = 1.5
}

@Suite("Elements and members of each type in conditions", .covers("S73"))
struct ElementTypeTests {
  private static let id = UUID()
  private static let link = URL(fileURLWithPath: "/a")

  private let vault: Vault
  private let caskets: ObjectStore<Casket>

  init() throws {
    vault = try Vault.temporary()
    caskets = try vault.store(of: Casket.self)
    try caskets.insert(
      Casket(
        name: "full", bools: [true], ints: [7], floats: [0.1], doubles: [0.1], texts: ["a"],
        dates: [Date(timeIntervalSince1970: 86_400.5)], ids: [Self.id], links: [Self.link],
        decimals: [1.5], grades: [.high], weights: ["a": 0.1], prices: ["a": 1.5], part: Casing()))
    try caskets.insert(Casket(name: "empty"))
  }

  private func names(_ text: String, _ argument: Any) throws -> [String] {
    try caskets.where(text, argument).all().map(\.name)
  }

  private func names(
    _ condition: (Casket.Properties) -> some ConditionConvertible
  ) throws -> [String] {
    try caskets.query.where(condition).all().map(\.name)
  }

  @Test("match the value with which they were stored, and only it")
  func arguments() throws {
    let values: [(list: String, member: String?, value: Any, other: Any)] = [
      ("bools", "bool", true, false), ("ints", "int", 7, 8),
      ("floats", "float", Float(0.1), Float(0.2)), ("doubles", "double", 0.1, 0.2),
      ("texts", "text", "a", "b"),
      ("dates", "date", Date(timeIntervalSince1970: 86_400.5), Date(timeIntervalSince1970: 1)),
      ("ids", nil, Self.id, UUID()), ("links", nil, Self.link, URL(fileURLWithPath: "/b")),
      ("decimals", "decimal", Decimal(string: "1.50") ?? 0, Decimal(2)),
      ("grades", "grade", ElementGrade.high, ElementGrade.low),
    ]
    for (list, member, value, other) in values {
      #expect(try names("\(list) CONTAINS %@", value) == ["full"], "\(list)")
      #expect(try names("NOT \(list) CONTAINS %@", value) == ["empty"], "\(list)")
      #expect(try names("ANY \(list) IN {%@}", value) == ["full"], "\(list)")
      #expect(try names("ANY \(list) != %@", value) == [], "\(list)")
      #expect(try names("\(list) CONTAINS %@", other) == [], "\(list)")
      guard let member else { continue }
      #expect(try names("part.\(member) == %@", value) == ["full"], "\(member)")
      #expect(try names("part.\(member) != %@", value) == ["empty"], "\(member)")
      #expect(try names("part.\(member) IN %@", [value]) == ["full"], "\(member)")
      #expect(try names("part.\(member) == %@", other) == [], "\(member)")
    }
  }

  @Test("of types Float and Decimal are found by typed conditions")
  func typed() throws {
    #expect(try names { $0.floats.contains(0.1) } == ["full"])
    #expect(try names { !$0.floats.contains(0.1) } == ["empty"])
    #expect(try names { $0.decimals.contains(1.5) } == ["full"])
    #expect(try names { !$0.decimals.contains(1.5) } == ["empty"])
    #expect(try names { $0.weights["a"] == 0.1 } == ["full"])
    #expect(try names { $0.weights["a"] > 0.05 && $0.weights["a"] < 0.2 } == ["full"])
    #expect(try names { $0.prices["a"] == 1.5 } == ["full"])
    #expect(try names { $0.prices["a"] != 1.5 } == ["empty"])
    #expect(try names { $0.part.member("float", as: Float.self) == 0.1 } == ["full"])
    #expect(try names { $0.part.member("decimal", as: Decimal.self) == 1.5 } == ["full"])
  }

  @Test("that JSON has in another form than a property are rejected instead of never found")
  func rejected() throws {
    for condition in ["part.float == float", "floats CONTAINS float", "prices.a == price"] {
      let error = #expect(throws: VaultError.self) { try caskets.where(condition).validate() }
      #expect(error?.code == .invalidCondition, "\(condition)")
    }
    for condition in ["part.decimal < %@", "ANY decimals > %@", "ANY decimals BEGINSWITH %@"] {
      let error = #expect(throws: VaultError.self) {
        try caskets.where(condition, Decimal(1)).validate()
      }
      #expect(error?.code == .invalidCondition)
      #expect(error?.message.contains("JSON stores a Decimal as text") == true, "\(condition)")
    }
    // A literal is a number, and a text in plain digits is the text.
    #expect(try caskets.where("decimals CONTAINS 1.5").all().isEmpty)
    #expect(try caskets.where("decimals CONTAINS '1.5'").count() == 1)
  }
}
