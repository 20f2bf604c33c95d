package import ObjectVaultCore

/// One of several accounts with a constant sum of balances.
package struct Account: StoredObject, Sendable {
  /// The sum of two accounts of the stress test.
  package static let sum = 1_000_000

  package var number: Int
  package var balance: Int

  package static let classDescription = ClassDescription(
    "Account",
    properties: [
      PropertyDescription("number", Int.self), PropertyDescription("balance", Int.self),
    ], objectID: ["number"])

  package var storedObjectID: Int? { number }

  package init(number: Int, balance: Int) {
    self.number = number
    self.balance = balance
  }

  package init(row: Row) throws {
    number = try row.value(at: 0)
    balance = try row.value(at: 1)
  }

  package func encode(into binder: Binder) throws {
    try binder.bind(number, at: 0)
    try binder.bind(balance, at: 1)
  }
}

/// A row with the worker that wrote it and the batch that it belongs to.
struct Entry: StoredObject, GeneratesObjectID, Sendable {
  var objectID: Int64?
  var worker: String
  var batch: Int

  static let classDescription = ClassDescription(
    "Entry",
    properties: [
      PropertyDescription("worker", String.self), PropertyDescription("batch", Int.self),
    ])

  init(worker: String, batch: Int, objectID: Int64? = nil) {
    self.worker = worker
    self.batch = batch
    self.objectID = objectID
  }

  init(row: Row) throws {
    worker = try row.value(at: 0)
    batch = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(worker, at: 0)
    try binder.bind(batch, at: 1)
  }
}
