internal import CSQLCipher
package import ObjectVaultDriver

/// The evaluation of a registered one-argument aggregate over the rows of a group.
package protocol AggregateRun: AnyObject {
  /// Adds a row whose argument is a real number, without further calls of the engine.
  func step(_ number: Double) throws

  /// Adds a row with any other argument.
  func step(_ arguments: FunctionArguments) throws

  /// Sets the result for all added rows, of which there may be none.
  func finish(_ result: FunctionResult) throws
}

extension Connection {
  /// Registers a Swift aggregate for use in SQL.
  ///
  /// - Parameters:
  ///   - name: The name in SQL. An existing aggregate with one argument is replaced.
  ///   - make: Returns a new evaluation. An error in it makes the statement fail, as with
  ///     functions.
  /// - Throws: ``DriverError`` if the engine rejects the aggregate.
  package func register(
    aggregate name: String, _ make: @escaping () -> any AggregateRun
  ) throws(DriverError) {
    let database = try open()
    var flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    // SQLITE_INNOCUOUS, which older headers lack.
    if sqlite3_libversion_number() >= 3_031_000 { flags |= 0x20_0000 }
    let box = Unmanaged.passRetained(AggregateBox(name: name, connection: self, make: make))
    // The engine releases the box even if the call fails.
    let code = sqlite3_create_function_v2(
      database, name, 1, flags, box.toOpaque(), nil,
      { context, _, values in AggregateBox.step(context, values) },
      { context in AggregateBox.finish(context) },
      { data in if let data { Unmanaged<AggregateBox>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else { throw failure(code) }
  }
}

private final class AggregateBox {
  /// An evaluation that the engine retains.
  private final class Begun {
    let run: any AggregateRun

    init(_ run: any AggregateRun) { self.run = run }
  }

  /// The engine's storage for an evaluation: zero until the first row.
  private typealias Slot = Unmanaged<Begun>?

  let name: String
  unowned let connection: Connection
  let make: () -> any AggregateRun

  init(name: String, connection: Connection, make: @escaping () -> any AggregateRun) {
    self.name = name
    self.connection = connection
    self.make = make
  }

  /// Returns the registered aggregate of a call.
  private static func running(_ context: OpaquePointer?) -> AggregateBox? {
    sqlite3_user_data(context).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Adds a row.
  ///
  /// The engine calls it for every row.
  @inline(__always)
  static func step(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    guard let slot = slot(context, Int32(MemoryLayout<Slot>.size)) else {
      sqlite3_result_error_nomem(context)
      return
    }
    guard let values, let begun = slot.pointee ?? begin(slot, context) else { return }
    attempt(context) {
      try begun.borrowed {
        if sqlite3_value_type(values[0]) == SQLITE_FLOAT {
          try $0.run.step(sqlite3_value_double(values[0]))
        } else {
          try $0.run.step(FunctionArguments(values: values, count: 1))
        }
      }
    }
  }

  @inline(never)
  private static func begin(_ slot: UnsafeMutablePointer<Slot>, _ context: OpaquePointer?) -> Slot {
    slot.pointee = running(context).map { .passRetained(Begun($0.make())) }
    return slot.pointee
  }

  /// Sets the result.
  ///
  /// The engine calls it once for every evaluation, including cancelled ones.
  static func finish(_ context: OpaquePointer?) {
    let begun = slot(context, 0)?.pointee?.takeRetainedValue()
    guard let run = begun?.run ?? running(context)?.make() else { return }
    attempt(context) { try run.finish(FunctionResult(context: context)) }
  }

  @inline(__always)
  private static func slot(
    _ context: OpaquePointer?, _ size: Int32
  ) -> UnsafeMutablePointer<Slot>? {
    sqlite3_aggregate_context(context, size)?.assumingMemoryBound(to: Slot.self)
  }

  @inline(__always)
  private static func attempt(_ context: OpaquePointer?, _ body: () throws -> Void) {
    do {
      try body()
    } catch {
      running(context)?.fail(context, error)
    }
  }

  private func fail(_ context: OpaquePointer?, _ error: any Error) {
    let reason = (error as? DriverError).map { ": \($0.message)" } ?? ""
    connection.refusal = "The function \(name) failed\(reason)"
    sqlite3_result_error(context, "a function failed", -1)
  }
}
