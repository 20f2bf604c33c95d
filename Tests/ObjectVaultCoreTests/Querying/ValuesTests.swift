import Foundation
import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

@Suite("Values of queries") struct ValuesTests {
  private let test: TestVault
  private let people: ObjectStore<Person>

  init() throws {
    test = try TestVault()
    people = try test.vault.store(of: Person.self)
    try people.insert(contentsOf: [
      Person(name: "b", age: 2), Person(name: "a", age: 2, note: "x"), Person(name: "b", age: 1),
      Person(name: "c", age: 2),
    ])
  }

  @Test("some properties come as tuples of their types")
  func tuples() throws {
    let rows = try people.where("age == 2").sorted(by: "name")
      .values(of: "name", "age", as: String.self, Int.self)
    #expect(rows.map(\.0) == ["a", "b", "c"] && rows.map(\.1) == [2, 2, 2])
    let four = try people.query.values(
      of: "objectID", "note", "age", "name", as: Int64.self, String?.self, Double.self, String.self)
    #expect(four.map(\.0) == [1, 2, 3, 4])
    #expect(four.map(\.1) == [nil, "x", nil, nil])
    #expect(four.map(\.2) == [2, 2, 1, 2])
  }

  @Test("types that are too few, too many or not the property's are refused")
  func typeMismatch() throws {
    #expect(
      code {
        _ = try people.query.values(of: "name", "age", "note", as: String.self, Int.self)
      } == .invalidArgument)
    #expect(
      code {
        _ = try people.query.values(of: "name", "age", as: String.self, Int.self, Int.self)
      } == .invalidArgument)
    #expect(
      code {
        _ = try people.query.values(of: "age", "name", as: Int.self, Int.self)
      } == .invalidValue)
    #expect(
      code {
        _ = try people.query.values(of: "name", "aeg", as: String.self, Int.self)
      } == .noSuchProperty)
  }

  @Test("a value that another type does not have is an error, never rounded or cut")
  func otherTypes() throws {
    let query = people.where("objectID == 1")
    _ = try people.where("objectID == 1").update(set: ["name": "8001 zuerich"])
    for read: () throws -> Any in [
      { try query.values(of: "name", as: Int.self) },
      { try query.values(of: "name", as: Double.self) },
      { try query.values(of: "name", as: Bool.self) },
      { try query.distinctValues(of: "name", as: Int?.self) },
      { try query.values(of: "age", "name", as: Int.self, Int.self) },
      { try query.distinctValues(of: "age", "name", as: Int.self, Int.self) },
      { try query.min(of: "name", as: Int.self) as Any },
      { try query.grouped(by: "name").rows(as: Int.self) },
      { try query.values(of: "age", as: String.self) },
    ] {
      let error = #expect(throws: VaultError.self) { _ = try read() }
      #expect(error?.code == .invalidValue)
      #expect(error?.message.hasPrefix("Property '") == true)
    }
    #expect(try query.values(of: "age", as: Float.self) == [2])
    try query.update(set: ["age": 16_777_217])
    #expect(code { _ = try query.values(of: "age", as: Float.self) } == .invalidValue)
    #expect(try query.values(of: "age", as: Double?.self) == [16_777_217])
  }

  @Test("distinct values come once, ascending or as sorted, in ranges of values")
  func distinct() throws {
    #expect(try people.query.distinctValues(of: "name", as: String.self) == ["a", "b", "c"])
    #expect(try people.query.distinctValues(of: "note", as: String?.self) == [nil, "x"])
    #expect(
      try people.query.sorted(by: .descending("name")).distinctValues(of: "name", as: String.self)
        == ["c", "b", "a"])
    #expect(
      try people.query.reversed().range(offset: 1).distinctValues(of: "name", as: String.self)
        == ["b", "a"])
    #expect(try people.where("age == 2").distinctValues(of: ["age"]) == [[.integer(2)]])
    let pairs = try people.query.sorted(by: .descending("age"))
      .distinctValues(of: "age", "name", as: Int.self, String.self)
    #expect(pairs.map { "\($0.0)\($0.1)" } == ["2a", "2b", "2c", "1b"])
  }

  @Test("distinct values in the order of another property are refused")
  func distinctOrder() throws {
    let query = people.sorted(by: "age")
    #expect(code { _ = try query.distinctValues(of: "name", as: String.self) } == .invalidArgument)
  }

  @Test("values are read without blocking the caller")
  func asynchronous() async throws {
    let names: [String] = try await onOwnThread { try people.query.distinctValues(of: "name") }
    #expect(names == ["a", "b", "c"])
    let ages: [Int] = try await onOwnThread { try people.query.values(of: "age") }
    #expect(ages == [2, 2, 1, 2])
    let pairs = try await onOwnThread {
      try people.query.values(of: "name", "age", as: String.self, Int.self)
    }
    #expect(pairs.map(\.1) == ages)
    let distinct = try await onOwnThread {
      try people.query.distinctValues(
        of: "age", "name", as: Int.self, String.self)
    }
    #expect(distinct.map(\.1) == ["b", "a", "b", "c"])
  }

  @Test("objects fetched with some properties have no others, and write no others", .covers("A22"))
  func partial() throws {
    let store = try test.vault.store(named: "Person")
    var object = try #require(try store.where("note != nil").all(only: "age").first)
    #expect(try object.value(of: "age") == .integer(2))
    #expect(object.generatedID == 2)
    #expect(try !object.isLoaded("name") && object.isLoaded("age"))
    #expect(code { _ = try object.value(of: "name") } == .notLoaded)
    try object.set("age", to: .integer(77))
    #expect(code { try store.update(object) } == .notLoaded)
    #expect(code { _ = try store.save(object) } == .notLoaded)
    #expect(code { _ = try store.insert(object) } == .notLoaded)
    #expect(code { try store.update(object, only: "age", "note") } == .notLoaded)
    #expect(try people.find(2)?.age == 2)
    try store.update(object, only: "age")
    let whole = try #require(try people.find(2))
    #expect(whole.age == 77 && whole.name == "a" && whole.note == "x")
    try object.set("name", to: .text("z"))
    try object.set("note", to: .null)
    try store.update(object)
    #expect(try people.find(2)?.note == nil)
    #expect(code { _ = try store.query.all(only: "aeg") } == .noSuchProperty)
  }
}
