import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import Synchronization
import Testing
import TestSupport
@testable import ObjectVaultModel

/// Counts how often it is made of what is stored.
private struct Celsius: ConvertibleToStorable, Hashable, Codable {
  static let conversions = Mutex<[Double: Int]>([:])

  var degrees: Double
  init(_ degrees: Double) { self.degrees = degrees }
  init(stored degrees: Double) throws {
    Self.conversions.withLock { $0[degrees, default: 0] += 1 }
    if degrees < -273.15 { throw VaultError(.invalidValue, "It is never that cold.") }
    self.degrees = degrees
  }
  var stored: Double { degrees }
}

private struct Point: Codable, Hashable, Sendable {
  var x: Int
  var y: Int
}

private struct Track: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var warmth: Lazy<Celsius>
  var points: Lazy<[Point]>
  var marks: Lazy<Set<Int>>?
  var number: Lazy<Int?>

  init(
    _ warmth: Double, _ points: [Point] = [], marks: Set<Int>? = nil, number: Int? = nil
  ) {
    self.warmth = Lazy(Celsius(warmth))
    self.points = Lazy(points)
    self.marks = marks.map { Lazy($0) }
    self.number = Lazy(number)
  }

  static let classDescription = ClassDescription(
    "Track",
    properties: [
      PropertyDescription("warmth", Lazy<Celsius>.self),
      PropertyDescription("points", Lazy<[Point]>.self, defaultValue: Lazy([])),
      PropertyDescription("marks", Lazy<Set<Int>>?.self),
      PropertyDescription("number", Lazy<Int?>.self),
    ])

  init(row: Row) throws {
    warmth = try row.value(at: 0)
    points = try row.value(at: 1)
    marks = try row.value(at: 2)
    number = try row.value(at: 3)
    objectID = try row.value(at: 4)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(warmth, at: 0)
    try binder.bind(points, at: 1)
    try binder.bind(marks, at: 2)
    try binder.bind(number, at: 3)
  }
}

private struct Basket: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var tags: Lazy<Set<String>>
  var names: Lazy<[Int: String]>

  init(_ tags: Set<String>, _ names: [Int: String] = [:]) {
    (self.tags, self.names) = (Lazy(tags), Lazy(names))
  }

  static let classDescription = ClassDescription(
    "Basket",
    properties: [
      PropertyDescription("tags", Lazy<Set<String>>.self),
      PropertyDescription("names", Lazy<[Int: String]>.self),
    ])

  init(row: Row) throws {
    tags = try row.value(at: 0)
    names = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(tags, at: 0)
    try binder.bind(names, at: 1)
  }

  struct Properties: ObjectProperties {
    let origin: PropertyOrigin
    var tags: Property<Lazy<Set<String>>> { origin.property("tags") }
    var names: Property<Lazy<[Int: String]>> { origin.property("names") }
  }
}

/// Writes its value as earlier versions wrote a lazy value inside a composite.
private struct Hidden<Value: Encodable>: Encodable {
  var value: Value
  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

@Suite("Values that are converted when they are read", .covers("A40")) struct LazyTests {
  private let test: TestVault
  private let tracks: ObjectStore<Track>

  init() throws {
    test = try TestVault()
    tracks = try test.vault.store(of: Track.self)
  }

  private func conversions(of degrees: Double) -> Int {
    Celsius.conversions.withLock { $0[degrees] ?? 0 }
  }

  @Test("are described and kept like the values themselves")
  func kept() throws {
    let types = Track.classDescription.properties.map(\.type)
    #expect(types == [.double, .json, .json, .int])
    #expect(Track.classDescription.properties.map(\.isOptional) == [false, false, true, true])
    try tracks.insert(Track(1.5, [Point(x: 1, y: 2)], marks: [3, 1], number: 4))
    let row = try #require(try test.vault.row("SELECT warmth, points, marks, number FROM Track"))
    #expect(
      row.values == [.real(1.5), .text(#"[{"x":1,"y":2}]"#), .text("[1,3]"), .integer(4)])
    #expect(try tracks.where("warmth > 1 && number == 4").count() == 1)
  }

  @Test("are converted at the first read, once, and shared by copies")
  func once() throws {
    try tracks.insert(Track(20.25))
    let track = try #require(try tracks.first())
    #expect(conversions(of: 20.25) == 0)
    #expect(!track.warmth.isConverted && !track.points.isConverted)
    let copy = track
    #expect(try track.warmth.value.degrees == 20.25)
    #expect(try track.warmth.value.degrees == 20.25)
    #expect(try copy.warmth.value.degrees == 20.25)
    #expect(copy.warmth.isConverted && !copy.points.isConverted)
    #expect(conversions(of: 20.25) == 1)
    #expect(try copy.points.value == [] && copy.number.value == nil && copy.marks == nil)
  }

  @Test("are converted by each thread that reads them first, and never again")
  func threads() async throws {
    try await tracks.insert(Track(21.5))
    let warmth = try #require(try await tracks.first()).warmth
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<100 { _ = try? warmth.value } }
      }
    }
    let made = conversions(of: 21.5)
    #expect((1...8).contains(made))
    let other = try #require(try await tracks.first()).warmth
    #expect(try warmth.value == other.value)
    #expect(conversions(of: 21.5) == made + 1, "only the other value is converted")
  }

  @Test("are written as they were stored, without a conversion")
  func unread() throws {
    // What another program wrote: neither canonical nor of this class.
    try test.vault.execute(
      "INSERT INTO Track (warmth, points, marks) VALUES (-300.5, '[ {\"y\":2,\"x\":1} ]', 'none')")
    var track = try #require(try tracks.first())
    try tracks.update(track)
    #expect(conversions(of: -300.5) == 0)
    track.number = Lazy(8)
    try tracks.save(track)
    let row = try #require(try test.vault.row("SELECT warmth, points, marks, number FROM Track"))
    #expect(
      row.values
        == [.real(-300.5), .text(#"[ {"y":2,"x":1} ]"#), .text("none"), .integer(8)])
    #expect(conversions(of: -300.5) == 0)
  }

  @Test("show what is wrong with them where they are read, at every read")
  func wrong() throws {
    try test.vault.execute(
      "INSERT INTO Track (warmth, points, marks, number) VALUES (-301, 'x', '[1, 1]', 1)")
    let track = try #require(try tracks.first())
    #expect(code { _ = try track.warmth.value } == .invalidValue)
    #expect(code { _ = try track.warmth.value } == .invalidValue)
    #expect(conversions(of: -301) == 2)
    let message = invalidValue { _ = try track.points.value }
    #expect(message?.hasPrefix("Column 'of a lazy value'") == true)
    #expect(track == track)
    #expect(track.points != Lazy([]))
  }

  @Test("are equal and hash as the values")
  func equality() throws {
    try tracks.insert(Track(1, [Point(x: 1, y: 1)], number: 2))
    let (first, second) = try (#require(try tracks.first()), #require(try tracks.first()))
    #expect(first == second && conversions(of: 1) == 0)
    #expect(
      first.points == Lazy([Point(x: 1, y: 1)]) && first.points.hashValue == second.points.hashValue
    )
    #expect(first.number == Lazy(2) && first.number != Lazy(3))
    #expect(Set([first.number, second.number, Lazy(2)]).count == 1)
  }

  @Test("code as the values, and show none of them")
  func coding() throws {
    let points = Lazy([Point(x: 1, y: 2)])
    let data = try JSONEncoder().encode(["a": points])
    #expect(
      try JSONDecoder().decode([String: [Point]].self, from: data) == ["a": [Point(x: 1, y: 2)]])
    #expect(try JSONDecoder().decode([String: Lazy<[Point]>].self, from: data) == ["a": points])
    #expect("\(points)" == "Lazy<Array<Point>>")
    var dumped = ""
    dump(Lazy("a secret"), to: &dumped)
    #expect(!dumped.contains("secret"))
  }

  @Test("have the canonical form of sets and dictionaries, also in composites")
  func canonical() throws {
    let tags = Set((0..<20).map { "tag \($0)" })
    let names = Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, "name \($0)") })
    #expect(try canonicalJSON(Lazy(tags)) == canonicalJSON(tags))
    #expect(try canonicalJSON([Lazy(tags)]) == canonicalJSON([tags]))
    #expect(try canonicalJSON(Lazy([2: "b", 1: "a"])) == #"[[1,"a"],[2,"b"]]"#)
    #expect(try canonicalJSON(["a": Lazy(names)]) == canonicalJSON(["a": names]))
    let json = try canonicalJSON([Lazy(names)])
    #expect(try decodeCanonicalJSON([Lazy<[Int: String]>].self, from: json) == [Lazy(names)])
  }

  @Test("are read in composites as earlier versions stored them")
  func earlierForms() throws {
    func check<T: Codable & Hashable & Sendable>(_ value: T) throws {
      let json = try canonicalJSON([Hidden(value: value)])
      #expect(try decodeCanonicalJSON([Lazy<T>].self, from: json) == [Lazy(value)])
    }
    try check(Set(["b", "a"]))
    try check([1: "a", 2: "b"])
    try check([UUID(): 1, UUID(): 2])
    try check(Date(timeIntervalSince1970: 1_700_000_000))
    try check(Data([1, 2, 3]))
    try check(try #require(Decimal(string: "1.5")))
    try check(try #require(URL(string: "https://example.org/a")))
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let json = try canonicalJSON([Lazy(date)])
    #expect(try decodeCanonicalJSON([Lazy<Date>].self, from: json) == [Lazy(date)])
  }

  @Test("are found by equality, and read after an update by query")
  func arguments() throws {
    let baskets = try test.vault.store(of: Basket.self)
    let tags = Lazy(Set((0..<20).map { "tag \($0)" }))
    let names = Lazy([1: "a"])
    try baskets.insert(Basket(tags.value))
    try baskets.insert(Basket(["other"]))
    #expect(try baskets.where { $0.tags == tags }.count() == 1)
    #expect(try baskets.query.update(set: ["tags": tags, "names": names]) == 2)
    #expect(try baskets.where { $0.tags == tags && $0.names == names }.count() == 2)
    for basket in try baskets.all() {
      #expect(try basket.tags.value == tags.value && basket.names.value == names.value)
    }
  }

  /// Reads the value that it is converted for.
  private final class Reentrant: Sendable {
    let value = Locked<Lazy<Int>?>(nil)
    let calls = Locked(0)
  }

  @Test("can be read by its own conversion, and by several threads, which get one value")
  func reentered() async throws {
    let test = Reentrant()
    let lazy = Lazy<Int>(stored: .integer(1)) { _ in
      let call = test.calls.withLock { calls in
        calls += 1
        return calls
      }
      // The first conversion asks for what the second one makes.
      if call == 1, let inner = try test.value.withLock({ $0 })?.value { return inner + 100 }
      return call
    }
    test.value.withLock { $0 = lazy }
    #expect(try lazy.value == 2)
    #expect(try lazy.value == 2 && lazy.isConverted)
    test.value.withLock { $0 = nil }

    let shared = Lazy<Int>(stored: .integer(1)) { _ in
      test.calls.withLock { calls in
        calls += 1
        return calls
      }
    }
    let values = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try shared.value } }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(values.count == 1)
  }
}
