import Foundation
import ObjectVault
import TestSupport
import Testing

private struct Point: Codable, Equatable {
  var x = 0.0
}

private enum Degrees: PropertyConverter {
  struct NoDegrees: Error {}
  static func stored(_ value: Double) throws -> Int {
    guard value.isFinite else { throw NoDegrees() }
    return Int(value)
  }
  static func value(_ stored: Int) -> Double { Double(stored) }
}

@Stored
private struct Gauge: Equatable {
  @ObjectID var number: Int
  var note: String = ""
  var value: Double = 0
  var width: CGFloat = 0
  var single: Float = 0
  var count: UInt64 = 0
  var price: Decimal = 0
  var day: Date?
  var link: URL?
  var point: Point?
  @Column(converter: Degrees.self) var angle: Double = 0
}

@Stored
private final class Sample {
  var note: String
  var value: Double
  init(note: String, value: Double) { (self.note, self.value) = (note, value) }
}

@Suite("An error of a value that cannot be stored")
struct UnstorableValueTests {
  private let vault: Vault
  private let gauges: ObjectStore<Gauge>

  init() throws {
    vault = try Vault.temporary()
    gauges = try vault.store(of: Gauge.self)
    try gauges.insert(Gauge(number: 1))
  }

  private func expect(
    _ property: String, of name: String = "Gauge", _ body: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: VaultError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .invalidValue, sourceLocation: sourceLocation)
    #expect(error?.className == name, sourceLocation: sourceLocation)
    #expect(error?.propertyNames == [property], sourceLocation: sourceLocation)
    #expect(
      error?.message.hasPrefix("Property '\(property)' of class '\(name)'") == true,
      "\(String(describing: error))", sourceLocation: sourceLocation)
  }

  @Test("names the property, whatever its type")
  func types() throws {
    func inserting(_ property: String, _ change: (inout Gauge) throws -> Void) rethrows {
      var gauge = Gauge(number: 2)
      try change(&gauge)
      expect(property) { try gauges.insert(gauge) }
    }
    inserting("value") { $0.value = .nan }
    inserting("width") { $0.width = .nan }
    inserting("single") { $0.single = .nan }
    inserting("count") { $0.count = .max }
    inserting("price") { $0.price = .nan }
    inserting("day") { $0.day = Date(timeIntervalSince1970: .nan) }
    try inserting("link") {
      let base = try #require(URL(string: "https://example.org/a/"))
      $0.link = URL(string: "b", relativeTo: base)
    }
    inserting("point") { $0.point = Point(x: .infinity) }
    inserting("angle") { $0.angle = .nan }
    // The first of several.
    inserting("value") { ($0.value, $0.point, $0.angle) = (.nan, Point(x: .nan), .nan) }
    #expect(try gauges.count() == 1)
  }

  @Test("names the property for each operation")
  func operations() throws {
    let bad = Gauge(number: 1, value: .nan)
    let many = (2...40).map { Gauge(number: $0, value: $0 == 30 ? .nan : 1) }
    expect("value") { try gauges.insert(contentsOf: many) }
    expect("value") { try gauges.update(bad) }
    expect("value") { try gauges.update(contentsOf: [bad]) }
    expect("value") { try gauges.save(bad) }
    expect("value") { try gauges.replace(bad) }
    expect("value") { try gauges.update(bad, only: "note", "value") }
    expect("value") { try gauges.query.update(set: ["value": Double.nan]) }
    expect("point") { try gauges.query.update(set: ["point": Point(x: .nan)]) }
    expect("angle") { try gauges.query.update(set: ["angle": Double.nan]) }
    #expect(try gauges.all() == [Gauge(number: 1)])
    let samples = try vault.store(of: Sample.self)
    let mixed = (0..<40).map { Sample(note: "a", value: $0 == 30 ? .nan : 1) }
    expect("value", of: "Sample") { try samples.insert(mixed[30]) }
    expect("value", of: "Sample") { try samples.insert(contentsOf: mixed) }
    expect("value", of: "Sample") { try samples.insert(contentsOf: mixed.lazy.map(\.self)) }
    #expect(try samples.count() == 0)
  }

  @Test("is not thrown for properties that an update does not write")
  func unwritten() throws {
    var gauge = Gauge(number: 1, note: "new", value: .nan, point: Point(x: .nan))
    try gauges.update(gauge, only: "note")
    #expect(try gauges.all() == [Gauge(number: 1, note: "new")])
    gauge.angle = .nan
    expect("angle") { try gauges.update(gauge, only: "note", "angle") }
  }
}
