import ObjectVaultCore
import TestSupport
import Testing

/// Kept in kelvin: its own number in a condition would find nothing.
private struct Celsius: ConvertibleToStorable, Equatable {
  var degrees: Double
  init(_ degrees: Double) { self.degrees = degrees }
  init(stored kelvin: Double) { degrees = kelvin - 273 }
  var stored: Double { degrees + 273 }
}

private struct Reading: StoredObject, GeneratesObjectID, Equatable {
  var objectID: Int64?
  var place: String
  var warmth: Celsius
  var limit: Celsius?

  init(_ place: String, _ warmth: Double, limit: Double? = nil) {
    self.place = place
    self.warmth = Celsius(warmth)
    self.limit = limit.map { Celsius($0) }
  }

  struct Properties: ObjectProperties {
    let origin: PropertyOrigin
    var warmth: Property<Celsius> { origin.property("warmth") }
  }

  static let classDescription = ClassDescription(
    "Reading",
    properties: [
      PropertyDescription("place", String.self), PropertyDescription("warmth", Celsius.self),
      PropertyDescription("limit", Celsius?.self),
    ])

  init(row: Row) throws {
    place = try row.value(at: 0)
    warmth = try row.value(at: 1)
    limit = try row.value(at: 2)
    objectID = try row.value(at: 3)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(place, at: 0)
    try binder.bind(warmth, at: 1)
    try binder.bind(limit, at: 2)
  }
}

@Suite("Arguments of a type with a conversion of its own", .covers("A39"))
struct ConvertedArgumentTests {
  private let test: TestVault
  private let readings: ObjectStore<Reading>

  init() throws {
    test = try TestVault()
    readings = try test.vault.store(of: Reading.self)
    try readings.insert(contentsOf: [
      Reading("a", 0), Reading("b", 20, limit: 30), Reading("c", 21.5, limit: 10),
    ])
  }

  private func places(_ query: Query<Reading>) throws -> [String] {
    try query.sorted(by: "place").all().map(\.place)
  }

  @Test("are converted in conditions, whichever way those are written")
  func conditions() throws {
    #expect(try places(readings.where("warmth > %@", Celsius(10))) == ["b", "c"])
    #expect(try places(readings.where("warmth == %@", Celsius(0))) == ["a"])
    #expect(
      try places(readings.where("warmth IN %@", [Celsius(0), Celsius(21.5)])) == ["a", "c"])
    #expect(
      try places(readings.where("warmth BETWEEN {%@, %@}", Celsius(19), Celsius(20))) == ["b"])
    #expect(try places(readings.where("limit < %@", Celsius?.some(Celsius(20)))) == ["c"])
    #expect(try places(readings.where("limit == %@", Celsius?.none)) == ["a"])
    #expect(try places(readings.where { $0.warmth == Celsius(20) }) == ["b"])
    #expect(try places(readings.where(Where("warmth").isGreater(than: Celsius(20)))) == ["c"])
  }

  @Test("are converted in updates by query and in SQL, and read back")
  func writing() throws {
    try readings.where("place == 'a'").update(set: ["warmth": Celsius(7), "limit": Celsius(8)])
    var expected = Reading("a", 7, limit: 8)
    expected.objectID = 1
    #expect(try readings.first() == expected)
    let row = try test.vault.row(
      "SELECT place, warmth FROM Reading WHERE warmth > \(Celsius(21))")
    #expect(try row?.value("place", as: String.self) == "c")
    #expect(try row?.value("warmth", as: Celsius.self) == Celsius(21.5))
    #expect(try row?.value("warmth", as: Double.self) == 294.5)
    #expect(try readings.object(from: ["place": "d", "warmth": Celsius(1)]) == Reading("d", 1))
  }
}
