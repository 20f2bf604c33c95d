internal import CSQLCipher

extension Connection {
  /// The pointer that the engine passes to the callbacks.
  ///
  /// The callbacks run only during calls on this connection, while its caller retains it.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func from(_ context: UnsafeMutableRawPointer) -> Connection {
    Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
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
}
