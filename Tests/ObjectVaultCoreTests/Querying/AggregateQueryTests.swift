import Foundation
import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

/// A class with numbers of every kind.
private struct Sale: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var place: String
  var count: Int
  var weight: Double
  var price: Decimal
  var discount: Int?

  init(_ place: String, _ count: Int, _ weight: Double, _ price: Decimal, _ discount: Int? = nil) {
    self.place = place
    self.count = count
    self.weight = weight
    self.price = price
    self.discount = discount
  }

  static let classDescription = ClassDescription(
    "Sale",
    properties: [
      PropertyDescription("place", String.self), PropertyDescription("count", Int.self),
      PropertyDescription("weight", Double.self), PropertyDescription("price", Decimal.self),
      PropertyDescription("discount", Int?.self),
    ])

  init(row: Row) throws {
    place = try row.value(at: 0)
    count = try row.value(at: 1)
    weight = try row.value(at: 2)
    price = try row.value(at: 3)
    discount = try row.value(at: 4)
    objectID = try row.value(at: 5)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(place, at: 0)
    try binder.bind(count, at: 1)
    try binder.bind(weight, at: 2)
    try binder.bind(price, at: 3)
    try binder.bind(discount, at: 4)
  }
}

@Suite("Aggregates and groups") struct AggregateQueryTests {
  private let test: TestVault
  private let sales: ObjectStore<Sale>

  init() throws {
    test = try TestVault()
    sales = try test.vault.store(of: Sale.self)
    try sales.insert(contentsOf: [
      Sale("Rome", 5, 0.1, Decimal(string: "10.5")!, 1),
      Sale("Oslo", 2, 0.2, Decimal(string: "9.25")!),
      Sale("Rome", 7, 0.3, Decimal(string: "100")!, 3), Sale("Bern", 1, 1e16, 0),
      Sale("Oslo", 2, -1e16, Decimal(string: "-0.75")!),
    ])
  }

  @Test("least, greatest, sum and mean are of the chosen objects, and exact")
  func aggregates() throws {
    let all = sales.query
    #expect(try all.min(of: "count", as: Int.self) == 1)
    #expect(try all.max(of: "count", as: Int.self) == 7)
    #expect(try all.sum(of: "count", as: Int.self) == 17)
    #expect(try all.average(of: "count") == 3.4)
    #expect(try all.min(of: "place", as: String.self) == "Bern")
    // Added one after another as doubles, 0.6 would be lost beside 1e16.
    #expect(try all.sum(of: "weight", as: Double.self) == 0.1 + 0.2 + 0.3 - 0.0000000000000001)
    #expect(try all.sum(of: "price", as: Decimal.self) == Decimal(119))
    // Compared as text, 9.25 would be the greatest.
    #expect(try all.max(of: "price", as: Decimal.self) == 100)
    #expect(try all.min(of: "price", as: Decimal.self) == Decimal(string: "-0.75"))
    #expect(try all.sum(of: "discount", as: Int.self) == 4)
    #expect(try all.average(of: "discount") == 2)
    let rome = sales.where("place == 'Rome'")
    #expect(try rome.sum(of: "count", as: Int.self) == 12)
    #expect(try rome.max(of: "objectID", as: Int64.self) == 3)
  }

  @Test("of nothing the sum is 0 and the others are nil")
  func empty() throws {
    let none = sales.where("count > 100")
    #expect(try none.sum(of: "count", as: Int.self) == 0)
    #expect(try none.sum(of: "weight", as: Double.self) == 0)
    #expect(try none.sum(of: "price", as: Decimal.self) == 0)
    #expect(try none.min(of: "count", as: Int.self) == nil)
    #expect(try none.max(of: "price", as: Decimal.self) == nil)
    #expect(try none.average(of: "count") == nil)
  }

  @Test("a range chooses the objects first")
  func ranges() throws {
    let largest = sales.sorted(by: .descending("count")).range(length: 2)
    #expect(try largest.sum(of: "count", as: Int.self) == 12)
    #expect(try largest.min(of: "count", as: Int.self) == 5)
    #expect(try sales.query.range(length: 0).max(of: "count", as: Int.self) == nil)
  }

  @Test("a sum of integers beyond 64 bits is an error, and not wrapped or rounded")
  func overflow() throws {
    try sales.insert(Sale("Far", .max, 0, 0))
    #expect(code { _ = try sales.query.sum(of: "count", as: Int.self) } == .overflow)
    #expect(code { _ = try sales.query.sum(of: "count", as: Double.self) } == .overflow)
    let grouped = sales.query.grouped(by: []).aggregating(.sum(of: "count", as: "n"))
    #expect(code { _ = try grouped.rows() } == .overflow)
    // What is beyond and comes back is none of it.
    try sales.insert(Sale("Far", -17, 0, 0))
    #expect(try sales.query.sum(of: "count", as: Int.self) == .max)
  }

  @Test("a sum beyond the range of its type is an error of the sum, not of an object")
  func overflowOfType() throws {
    try sales.insert(contentsOf: [
      Sale("Far", 1, 1e300, Decimal(string: "123456789012345678901234567890")!),
      Sale("Far", 1, 0, Decimal(string: "0.000000000000000001")!),
    ])
    #expect(code { _ = try sales.query.sum(of: "price", as: Decimal.self) } == .overflow)
    #expect(code { _ = try sales.query.sum(of: "weight", as: Float.self) } == .overflow)
    #expect(try sales.query.sum(of: "weight", as: Double.self) == 1e300)
  }

  @Test("what has no order or no sum is refused before anything is read")
  func refusals() throws {
    #expect(code { _ = try sales.query.sum(of: "weight", as: Int.self) } == .invalidValue)
    #expect(code { _ = try sales.query.min(of: "weight", as: Int.self) } == .invalidValue)
    let groups = sales.query.grouped(by: []).aggregating(.average(of: "count", as: "mean"))
    #expect(code { _ = try groups.rows(as: Int.self) } == .invalidValue)
    #expect(code { _ = try groups.rows(as: Float.self) } == .invalidValue)
    #expect(code { _ = try sales.query.sum(of: "place", as: Int.self) } == .invalidArgument)
    #expect(code { _ = try sales.query.average(of: "price") } == .invalidArgument)
    #expect(code { _ = try sales.query.min(of: "prize", as: Int.self) } == .noSuchProperty)
    try sales.insert(contentsOf: [Sale("x", 0, .infinity, 0), Sale("x", 0, -.infinity, 0)])
    #expect(code { _ = try sales.query.sum(of: "weight", as: Double.self) } == .invalidValue)
    #expect(code { _ = try sales.query.sum(of: "weight", as: Int.self) } == .invalidValue)
    #expect(try sales.query.average(of: "weight") == nil)
  }

  @Test("groups have their keys and what is made of them, in the order of the keys")
  func groups() throws {
    let rows = try sales.query.grouped(by: "place")
      .aggregating(.count(as: "n"), .count(of: "discount", as: "reduced"))
      .aggregating(.sum(of: "price", as: "paid"), .average(of: "count", as: "mean"))
      .rows(as: String.self, Int.self, Int.self, Decimal.self, Double.self)
    #expect(rows.map(\.0) == ["Bern", "Oslo", "Rome"])
    #expect(rows.map(\.1) == [1, 2, 2] && rows.map(\.2) == [0, 0, 2])
    #expect(rows.map(\.3) == [0, 8.5, 110.5] && rows.map(\.4) == [1, 2, 6])
  }

  @Test("a condition on groups names keys and results; so do their orders and ranges")
  func having() throws {
    let grouped = sales.where("count != 1").grouped(by: "place")
      .aggregating(.sum(of: "count", as: "total"), .max(of: "price", as: "dearest"))
    #expect(
      try grouped.having("total > %@", 10).rows(as: String.self, Int.self, Decimal.self)
        .map(\.0) == ["Rome"])
    #expect(try grouped.having("dearest < 10").having("place != 'Bern'").count() == 1)
    #expect(
      try grouped.sorted(by: .descending("dearest")).rows().map { $0[0] }
        == [.text("Rome"), .text("Oslo")])
    #expect(try grouped.range(offset: 1).rows().map { $0[0] } == [.text("Rome")])
    #expect(try grouped.range(length: 0).count() == 0)
    #expect(try grouped.count() == 2)
    #expect(code { try grouped.having("totl > 1").validate() } == .noSuchProperty)
    #expect(code { try grouped.sorted(by: "weight").validate() } == .noSuchProperty)
    #expect(code { try grouped.having("total > 'x'").validate() } == .invalidCondition)
    #expect(code { try grouped.aggregating(.count(as: "total")).validate() } == .invalidArgument)
    #expect(code { _ = try sales.query.grouped(by: []).rows() } == .invalidArgument)
    #expect(code { _ = try grouped.rows(as: String.self) } == .invalidArgument)
  }

  @Test("groups by several properties, and lists too long to be bound on both sides")
  func severalKeys() throws {
    let places = (0..<1200).map { "p\($0)" } + ["Oslo"]
    let rows = try sales.where("place IN %@", places).grouped(by: "place", "count")
      .aggregating(.count(as: "n")).having("place IN %@", places)
      .rows(as: String.self, Int.self, Int.self)
    #expect(rows.map { "\($0.0) \($0.1) \($0.2)" } == ["Oslo 2 2"])
  }

  @Test("aggregates and groups are made without blocking the caller")
  func asynchronous() async throws {
    let sum: Int = try await onOwnThread { try sales.query.sum(of: "count") }
    let least: Int? = try await onOwnThread { try sales.query.min(of: "count") }
    let mean = try await onOwnThread { try sales.query.average(of: "count") }
    #expect(sum == 17 && least == 1 && mean == 3.4)
    let grouped = sales.query.grouped(by: "place").aggregating(.count(as: "n"))
    #expect(try await onOwnThread { try grouped.count() } == 3)
    #expect(try await onOwnThread { try grouped.rows().count } == 3)
    let rows = try await onOwnThread { try grouped.rows(as: String.self, Int.self) }
    #expect(rows.map(\.1) == [1, 2, 2])
  }
}
