internal import CSQLCipher

/// A row that was inserted, changed or deleted.
package struct RowChange {
  package enum Operation: Sendable { case insert, update, delete }
  package let operation: Operation
  /// The table's name, which is valid only during the call.
  package let tableName: UnsafePointer<CChar>
  package let rowID: Int64

  /// The table's name.
  package var table: String { String(cString: tableName) }
}

extension Connection {
  /// The pointer that the engine passes to the callbacks.
  ///
  /// The callbacks run only during calls on this connection, while its caller retains it.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func from(_ context: UnsafeMutableRawPointer) -> Connection {
    Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
  }

  func installUpdateHook() {
    guard let database else { return }
    guard onUpdate != nil else {
      sqlite3_update_hook(database, nil, nil)
      return
    }
    sqlite3_update_hook(
      database,
      { context, operation, _, table, rowID in
        guard let context, let table else { return }
        let kind: RowChange.Operation
        switch operation {
        case SQLITE_INSERT: kind = .insert
        case SQLITE_DELETE: kind = .delete
        default: kind = .update
        }
        Connection.from(context).onUpdate?(
          RowChange(operation: kind, tableName: table, rowID: rowID))
      }, context)
  }

  func installCommitHook() {
    guard let database else { return }
    guard onCommit != nil else {
      sqlite3_commit_hook(database, nil, nil)
      return
    }
    sqlite3_commit_hook(
      database,
      { context in
        if let context { Connection.from(context).onCommit?() }
        return 0
      }, context)
  }

  func installRollbackHook() {
    guard let database else { return }
    guard onRollback != nil else {
      sqlite3_rollback_hook(database, nil, nil)
      return
    }
    sqlite3_rollback_hook(
      database, { context in if let context { Connection.from(context).onRollback?() } }, context)
  }

  func installTrace() {
    guard let database else { return }
    guard trace != nil else {
      sqlite3_trace_v2(database, 0, nil, nil)
      return
    }
    sqlite3_trace_v2(
      database, UInt32(SQLITE_TRACE_STMT),
      { _, context, _, text in
        // The text contains the placeholders of parameters, not their values.
        if let context, let text {
          let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
          Connection.from(context).trace?(sql)
        }
        return 0
      }, context)
  }

  /// Calls `handler` about every `steps` steps of the engine to ask whether to stop; `nil` removes
  /// the handler.
  ///
  /// A stopped statement throws ``DriverError/Code/interrupted``.
  package func setProgress(every steps: Int32, _ handler: (() -> Bool)?) {
    progress = handler
    guard let database else { return }
    guard handler != nil else {
      sqlite3_progress_handler(database, 0, nil, nil)
      return
    }
    sqlite3_progress_handler(
      database, max(1, steps),
      { context in
        guard let context, let progress = Connection.from(context).progress else { return 0 }
        return progress() ? 1 : 0
      }, context)
  }

  /// Stops the statements that are running on the connection now.
  ///
  /// This method may be called from another thread while the connection is known to stay open.
  package func interrupt() {
    if let database { sqlite3_interrupt(database) }
  }
}
