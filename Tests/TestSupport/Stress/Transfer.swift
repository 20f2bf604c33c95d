internal import ObjectVaultCore

/// A transfer between two accounts, stored in the transaction that moves the amount.
struct Transfer: StoredObject, Hashable, Sendable {
  /// The worker and the sequence number combined; see ``init(worker:sequence:from:to:amount:)``.
  var number: Int
  var from: Int
  var to: Int
  var amount: Int

  /// The size of each worker's range of numbers.
  private static let share = 1_000_000_000

  /// Creates a transfer.
  ///
  /// - Parameters:
  ///   - worker: The index of the thread that makes the transfer.
  ///   - sequence: The position among the transfers of the worker, counted from 1.
  ///   - from: The number of the account that is debited.
  ///   - to: The number of the account that is credited.
  ///   - amount: The amount.
  init(worker: Int, sequence: Int, from: Int, to: Int, amount: Int) {
    number = worker * Self.share + sequence
    self.from = from
    self.to = to
    self.amount = amount
  }

  /// The position among the transfers of its worker, counted from 1.
  var sequence: Int { number % Self.share }

  /// Returns the range of numbers of a worker's transfers.
  static func numbers(of worker: Int) -> ClosedRange<Int> {
    (worker * share + 1)...(worker * share + share - 1)
  }

  static let classDescription = ClassDescription(
    "Transfer",
    properties: ["number", "from", "to", "amount"].map { PropertyDescription($0, Int.self) },
    objectID: ["number"])

  var storedObjectID: Int? { number }

  init(row: Row) throws {
    number = try row.value(at: 0)
    from = try row.value(at: 1)
    to = try row.value(at: 2)
    amount = try row.value(at: 3)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(number, at: 0)
    try binder.bind(from, at: 1)
    try binder.bind(to, at: 2)
    try binder.bind(amount, at: 3)
  }
}

extension Query where T == Transfer {
  /// Returns the latest of the transfers.
  func latest() throws -> Transfer? { try sorted(by: .descending("number")).first() }
}

extension ObjectStore where T == Transfer {
  /// Returns a query for the transfers of one worker.
  func of(worker: Int) throws -> Query<Transfer> {
    let numbers = Transfer.numbers(of: worker)
    return self.where(
      "number >= %@ && number <= %@", numbers.lowerBound, numbers.upperBound)
  }
}
