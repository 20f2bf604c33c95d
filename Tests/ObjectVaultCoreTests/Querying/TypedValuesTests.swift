import ObjectVaultCore
import TestSupport
import Testing

@Suite("Values by members of the class") struct TypedValuesTests {
  private struct Pupil: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var age: Int
    var mark: Double?

    init(_ name: String, _ age: Int, _ mark: Double? = nil) {
      (self.name, self.age, self.mark) = (name, age, mark)
    }

    static let classDescription = ClassDescription(
      "Pupil",
      properties: [
        PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
        PropertyDescription("mark", Double?.self),
      ])

    init(row: Row) throws {
      name = try row.value(at: 0)
      age = try row.value(at: 1)
      mark = try row.value(at: 2)
      objectID = try row.value(at: 3)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(age, at: 1)
      try binder.bind(mark, at: 2)
    }

    struct Properties: ObjectProperties {
      let origin: PropertyOrigin
      var name: Property<String> { origin.property("name") }
      var age: Property<Int> { origin.property("age") }
      var mark: Property<Double?> { origin.property("mark") }
    }
  }

  @Test("values, aggregates and distinct values have the types of the members")
  func types() throws {
    let test = try TestVault()
    let pupils = try test.vault.store(of: Pupil.self)
    try pupils.insert(contentsOf: [Pupil("b", 7, 1.5), Pupil("a", 8), Pupil("b", 9, 2)])
    let query = pupils.where { $0.age > 6 }.sorted(by: \.name)
    #expect(try query.values(of: \.name) == ["a", "b", "b"])
    #expect(try query.values(of: \.mark) == [nil, 1.5, 2])
    #expect(try query.values(of: \.name, \.age).map(\.1) == [8, 7, 9])
    #expect(try query.values(of: \.name, \.age, \.mark).map(\.2) == [nil, 1.5, 2])
    #expect(try query.distinctValues(of: \.name) == ["a", "b"])
    #expect(try query.min(of: \.name) == "a")
    #expect(try query.max(of: \.mark) == 2)
    #expect(try query.sum(of: \.mark) == 3.5)
    #expect(try query.sum(of: \.age) == 24)
    #expect(try query.average(of: \.age) == 8)
  }

  private struct Shelf: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var weight: Int8

    init(_ weight: Int8) { self.weight = weight }

    static let classDescription = ClassDescription(
      "Shelf", properties: [PropertyDescription("weight", Int8.self)])

    init(row: Row) throws {
      weight = try row.value(at: 0)
      objectID = try row.value(at: 1)
    }

    func encode(into binder: Binder) throws { try binder.bind(weight, at: 0) }

    struct Properties: ObjectProperties {
      let origin: PropertyOrigin
      var weight: Property<Int8> { origin.property("weight") }
    }
  }

  @Test("a sum beyond the range of its type is an overflow, and a wider type has it")
  func narrowSum() throws {
    let test = try TestVault()
    let shelves = try test.vault.store(of: Shelf.self)
    #expect(try shelves.query.sum(of: \.weight) == 0)
    try shelves.insert(contentsOf: [Shelf(100), Shelf(20)])
    #expect(try shelves.query.sum(of: \.weight) == 120)
    try shelves.insert(Shelf(8))
    let error = #expect(throws: VaultError.self) { _ = try shelves.query.sum(of: \.weight) }
    #expect(error?.code == .overflow)
    #expect(error?.message.contains("sum(of: \"weight\", as: Int.self)") == true)
    #expect(try shelves.query.sum(of: "weight", as: Int.self) == 128)
    #expect(try shelves.query.sum(of: "weight", as: UInt8.self) == 128)
  }

  @Test("and can be awaited")
  func awaited() async throws {
    let test = try TestVault()
    let pupils = try await test.vault.store(of: Pupil.self)
    try await pupils.insert(contentsOf: [Pupil("b", 7, 1.5), Pupil("a", 8), Pupil("b", 9, 2)])
    let query = pupils.where { $0.age > 6 }.sorted(by: \.name)
    #expect(try await onOwnThread { try query.values(of: \.name) } == ["a", "b", "b"])
    #expect(try await onOwnThread { try query.values(of: \.name, \.age).map(\.1) } == [8, 7, 9])
    #expect(
      try await onOwnThread { try query.values(of: \.name, \.age, \.mark).map(\.2) } == [
        nil, 1.5, 2,
      ])
    #expect(try await onOwnThread { try query.distinctValues(of: \.name) } == ["a", "b"])
    #expect(try await onOwnThread { try query.min(of: \.name) } == "a")
    #expect(try await onOwnThread { try query.max(of: \.mark) } == 2)
    #expect(try await onOwnThread { try query.sum(of: \.mark) } == 3.5)
    #expect(try await onOwnThread { try query.average(of: \.age) } == 8)
  }
}
