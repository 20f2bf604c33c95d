import ObjectVaultCore
import TestSupport
import Testing

private struct Crate: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var tags: [String: Int]
  var weights: [Float]

  init(_ tags: [String: Int] = [:], _ weights: [Float] = []) {
    (self.tags, self.weights) = (tags, weights)
  }

  static let classDescription = ClassDescription(
    "Crate",
    properties: [.init("tags", [String: Int].self), .init("weights", [Float].self)])

  init(row: Row) throws {
    tags = try row.value(at: 0)
    weights = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(tags, at: 0)
    try binder.bind(weights, at: 1)
  }

  struct Properties: ObjectProperties {
    let origin: PropertyOrigin
    var tags: Property<[String: Int]> { origin.property("tags") }
    var weights: Property<[Float]> { origin.property("weights") }
  }
}

@Suite("A composite is found by equality", .covers("S37")) struct CompositeEqualityTests {
  private let test: TestVault
  private let crates: ObjectStore<Crate>

  init() throws {
    test = try TestVault()
    crates = try test.vault.store(of: Crate.self)
  }

  @Test("after an insert and after an update by query, if a name continues another with a space")
  func names() throws {
    let tags = ["New": 1, "New York": 2, "New!": 3, "New\n": 4]
    try crates.insert(Crate(tags))
    #expect(try crates.where { $0.tags == tags }.count() == 1)
    #expect(try crates.query.update(set: ["tags": tags]) == 1)
    #expect(try crates.where { $0.tags == tags }.count() == 1)
    let object = try crates.object(from: ["tags": tags, "weights": [] as [Float]])
    try crates.insert(object)
    #expect(try crates.where { $0.tags == tags }.count() == 2)
  }

  @Test("as canonical text of an object without a Swift type, in any order of its names")
  func dynamic() throws {
    try crates.insert(Crate())
    let description = Crate.classDescription
    let objects = try test.vault.store(of: description)
    var object = try DynamicObject(of: description)
    try object.set("tags", to: .text(#"{"New":1,"New York":2}"#))
    try object.set("weights", to: .text("[]"))
    try objects.insert(object)
    #expect(try object.value(of: "tags") == .text(#"{"New York":2,"New":1}"#))
    let tags = ["New": 1, "New York": 2]
    #expect(try crates.where { $0.tags == tags }.count() == 1)
  }

  @Test("after an insert and after an update by query, if a Float has fewer digits than a Double")
  func floats() throws {
    let weights: [Float] = [20_000_000, 0.1]
    try crates.insert(Crate([:], weights))
    #expect(try crates.where { $0.weights == weights }.count() == 1)
    #expect(try crates.query.update(set: ["weights": weights]) == 1)
    #expect(try crates.where { $0.weights == weights }.count() == 1)
    #expect(try crates.all().map(\.weights) == [weights])
  }
}
