import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultKeys
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// The transfer of a group of classes that are stored together.
struct GroupTransfer {
  /// The tables of a class in both databases.
  private struct Pair {
    let source: TransferredTable
    let target: TransferredTable
    /// The number of objects in the source.
    let total: Int64
    var description: ClassDescription { source.description }
  }

  private let group: TransferOrder.Group
  private let source: any OpenDatabase
  private let target: any OpenDatabase

  init(
    _ group: TransferOrder.Group, from source: any OpenDatabase, to target: any OpenDatabase
  ) {
    self.group = group
    self.source = source
    self.target = target
  }

  /// Transfers the objects of the group.
  ///
  /// - Parameter progress: Receives the state after each transaction.
  /// - Returns: The results of its classes.
  /// - Throws: As ``ObjectTransfer/run(progress:)``.
  func run(
    _ progress: (ObjectTransfer.Progress) throws -> Void
  ) throws -> [ObjectTransfer.Report.ClassResult] {
    let pairs = try group.classes.map(pair)
    guard group.isCyclic else {
      return try pairs.map { try transfer($0, progress) { try writing($0) } }
    }
    return try writing { session in
      try session.execute(session.connection.catalog.deferReferences)
      return try pairs.map { pair in
        // The errors of the target are described before the source describes its own.
        try transfer(pair, progress) { body in
          try target.describingErrors { try body(session) }
        }
      }
    }
  }

  private func pair(_ description: ClassDescription) throws -> Pair {
    let (read, total) = try source.read { session in
      (
        try TransferredTable(description, in: source, on: session),
        try session.with("SELECT count(*) FROM \(SQL.quoted(description.table))") {
          Int64(try $0.count())
        }
      )
    }
    let written = try target.read { session in
      try TransferredTable(description, in: target, on: session)
    }
    guard read.columns == written.columns else {
      let others = Set(read.columns).symmetricDifference(written.columns).sorted()
      throw VaultError(
        .invalidClass,
        "Table '\(description.table)' has columns in only one of both databases, so its rows cannot "
          + "be transferred: \(others.joined(separator: ", ")). Declare properties for them, or drop "
          + "them with `dropRemovedProperties()`.")
    }
    return Pair(source: read, target: written, total: total)
  }

  /// Calls `body` in a transaction of the target, with its errors.
  private func writing<R>(_ body: (Session) throws -> R) throws -> R {
    try target.describingErrors { try target.transaction(body) }
  }

  /// Transfers the objects of one class.
  ///
  /// - Parameters:
  ///   - pair: The class.
  ///   - progress: Receives the state after each transaction.
  ///   - write: Calls its argument in a transaction of the target.
  /// - Returns: The result.
  /// - Throws: As ``ObjectTransfer/run(progress:)``.
  private func transfer(
    _ pair: Pair, _ progress: (ObjectTransfer.Progress) throws -> Void,
    _ write: ((Session) throws -> Void) throws -> Void
  ) throws -> ObjectTransfer.Report.ClassResult {
    let present = try digest(of: pair)
    var sent = RowSetDigest()
    var isCompared = present.count == 0
    try source.read { session in
      try pair.source.forEachBatch(on: session) { rows in
        var new = rows[...]
        while !isCompared, let row = new.popFirst() {
          try sent.add(row)
          isCompared = sent.count == present.count
          if isCompared, sent != present { throw hasOtherObjects(pair) }
        }
        if new.isEmpty { return }
        for row in new { try sent.add(row) }
        try write { try insert(Array(new), of: pair, on: $0) }
        try report(sent.count, pair, progress)
      }
    }
    guard isCompared else { throw hasOtherObjects(pair) }
    let number = try source.read { try lastNumber(of: pair.description, on: $0) }
    if let number { try write { try raise(pair.description, to: number, on: $0) } }
    guard try digest(of: pair) == sent else {
      throw VaultError(
        .conflict,
        "The objects of class '\(pair.description.name)' differ after the transfer, because another "
          + "program changed them in '\(target.location)' meanwhile. Transfer to a new database.")
    }
    return ObjectTransfer.Report.ClassResult(
      name: pair.description.name, count: sent.count, present: present.count)
  }

  /// Inserts rows into the target; inside a transaction.
  private func insert(_ rows: [[StoredValue]], of pair: Pair, on session: Session) throws {
    do {
      try pair.target.insert(rows, into: target, on: session)
    } catch let error as DriverError
      where [.constraintUnique, .constraintPrimaryKey].contains(error.code)
    {
      throw VaultError(
        .conflict,
        "Another program stored objects of class '\(pair.description.name)' during the transfer to "
          + "'\(target.location)'. Run it again, or transfer to a new database.",
        underlying: error)
    } catch let error as DriverError where error.code == .mismatch {
      guard let position = rows.lazy.compactMap(Self.positionOfNUL).first else { throw error }
      throw VaultError(
        .invalidValue,
        "A text in column \(pair.target.columns[position]) of class '\(pair.description.name)' "
          + "contains a NUL character, which '\(target.location)' cannot store. Remove it.",
        underlying: MissingCapability(.textsWithNUL))
    }
  }

  /// Returns the position of the first text of a row with a NUL character.
  private static func positionOfNUL(in row: [StoredValue]) -> Int? {
    row.firstIndex { value in
      if case .text(let text) = value { text.utf8.contains(0) } else { false }
    }
  }

  private func report(
    _ done: Int64, _ pair: Pair, _ progress: (ObjectTransfer.Progress) throws -> Void
  ) throws {
    try progress(
      ObjectTransfer.Progress(className: pair.description.name, done: done, total: pair.total))
  }

  /// Returns the digest of the objects that the target has.
  private func digest(of pair: Pair) throws -> RowSetDigest {
    try target.describingErrors {
      try target.readScope {
        try target.read { session in
          var digest = RowSetDigest()
          try pair.target.forEachBatch(on: session) { rows in
            for row in rows { try digest.add(row) }
          }
          return digest
        }
      }
    }
  }

  private func hasOtherObjects(_ pair: Pair) -> VaultError {
    VaultError(
      .invalidArgument,
      "'\(target.location)' has other objects of class '\(pair.description.name)' than "
        + "'\(source.location)', or the source changed since an interrupted transfer. Transfer to a "
        + "new database, or remove the objects.")
  }

  // MARK: Generated numbers

  /// Returns the numbers that the engine generates for a class; `nil` if it generates none.
  private func numbers(of description: ClassDescription) -> GeneratedSequence? {
    guard description.objectIDIsRowID else { return nil }
    let column = description.rowColumns[description.objectIDPositions[0]]
    return GeneratedSequence(table: description.table, column: column)
  }

  /// Returns the highest number that was generated for a class; `nil` if there is none.
  private func lastNumber(
    of description: ClassDescription, on session: Session
  ) throws -> Int64? {
    guard let numbers = numbers(of: description) else { return nil }
    let column = SQL.quoted(description.rowColumns[description.objectIDPositions[0]])
    let stored = try session.with(
      "SELECT max(\(column)) FROM \(SQL.quoted(description.table))"
    ) { try $0.integer() }
    return [stored, try numbers.recorded(on: session)].compactMap(\.self).max()
      .flatMap { $0 > 0 ? $0 : nil }
  }

  private func raise(
    _ description: ClassDescription, to number: Int64, on session: Session
  ) throws {
    // A key without AUTOINCREMENT continues after the highest number that is stored.
    let isRecorded =
      description.objectID == .generated || !session.connection.catalog.takesNumbersBack
    if isRecorded { try numbers(of: description)?.raise(to: number, on: session) }
  }
}
