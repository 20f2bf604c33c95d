internal import CSQLCipher

/// One run of a registered aggregate over the rows of a group.
package protocol AggregateRun: AnyObject {
  /// Takes in one row.
  func step(_ arguments: FunctionArguments) throws

  /// Gives the answer for all rows taken in, of which there may be none.
  func finish(_ result: FunctionResult) throws
}

extension Connection {
  /// Makes a Swift aggregate callable from SQL.
  ///
  /// - Parameters:
  ///   - name: its name in SQL; one that exists with as many arguments is replaced.
  ///   - arguments: how many it takes; -1 for any number.
  ///   - make: begins a run. An error in one makes the statement fail, as with functions.
  package func register(
    aggregate name: String, arguments: Int32, _ make: @escaping () -> any AggregateRun
  ) throws(EngineError) {
    let database = try open()
    var flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    // SQLITE_INNOCUOUS, which older headers lack.
    if sqlite3_libversion_number() >= 3_031_000 { flags |= 0x20_0000 }
    let box = Unmanaged.passRetained(AggregateBox(name: name, connection: self, make: make))
    // The engine releases the box also when it fails.
    let code = sqlite3_create_function_v2(
      database, name, arguments, flags, box.toOpaque(), nil,
      { context, count, values in
        guard let data = sqlite3_user_data(context) else { return }
        Unmanaged<AggregateBox>.fromOpaque(data)._withUnsafeGuaranteedRef {
          $0.step(context, FunctionArguments(values: values, count: Int(count)))
        }
      },
      { context in
        guard let data = sqlite3_user_data(context) else { return }
        Unmanaged<AggregateBox>.fromOpaque(data).takeUnretainedValue().finish(context)
      },
      { data in if let data { Unmanaged<AggregateBox>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else { throw failure(code) }
  }
}

private final class AggregateBox {
  /// A run that the engine keeps.
  private final class Begun {
    let run: any AggregateRun

    init(_ run: any AggregateRun) { self.run = run }
  }

  /// What the engine keeps for a run: zero until the first row.
  private typealias Slot = Unmanaged<Begun>?

  let name: String
  unowned let connection: Connection
  let make: () -> any AggregateRun

  init(name: String, connection: Connection, make: @escaping () -> any AggregateRun) {
    self.name = name
    self.connection = connection
    self.make = make
  }

  func step(_ context: OpaquePointer?, _ arguments: FunctionArguments) {
    guard let slot = slot(context, Int32(MemoryLayout<Slot>.size)) else {
      sqlite3_result_error_nomem(context)
      return
    }
    let begun: Unmanaged<Begun>
    if let run = slot.pointee {
      begun = run
    } else {
      begun = .passRetained(Begun(make()))
      slot.pointee = begun
    }
    begun._withUnsafeGuaranteedRef { begun in
      attempt(context) { try begun.run.step(arguments) }
    }
  }

  /// The engine calls it once for every run, also for one that it breaks off.
  func finish(_ context: OpaquePointer?) {
    let begun = slot(context, 0)?.pointee?.takeRetainedValue()
    attempt(context) { try (begun?.run ?? make()).finish(FunctionResult(context: context)) }
  }

  @inline(__always)
  private func slot(_ context: OpaquePointer?, _ size: Int32) -> UnsafeMutablePointer<Slot>? {
    sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: Slot.self)
  }

  @inline(__always)
  private func attempt(_ context: OpaquePointer?, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      let reason = (error as? EngineError).map { ": \($0.message)" } ?? ""
      connection.refusal = "the function \(name) failed\(reason)"
      sqlite3_result_error(context, "a function failed", -1)
    }
  }
}
