package import ObjectVaultCore

/// A transfer between accounts on a server, which another process has made.
package struct ServerTransfer: StoredObject, GeneratesObjectID, Sendable {
  /// The number of accounts.
  package static let accountCount = 12

  package var objectID: Int64?
  /// The thread that has made it.
  package var worker: Int
  /// Its number among those of the thread.
  package var number: Int

  package static let classDescription = ClassDescription(
    "ServerTransfer",
    properties: [
      PropertyDescription("worker", Int.self), PropertyDescription("number", Int.self),
    ])

  package init(worker: Int, number: Int) {
    self.worker = worker
    self.number = number
  }

  package init(row: Row) throws {
    worker = try row.value(at: 0)
    number = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  package func encode(into binder: Binder) throws {
    try binder.bind(worker, at: 0)
    try binder.bind(number, at: 1)
  }
}
