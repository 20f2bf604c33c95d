internal import CSQLCipher
import ObjectVaultCondition
package import ObjectVaultDriver

/// The arguments of a call of a registered function.
///
/// They are valid only during the call.
package struct FunctionArguments {
  @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>?
  /// The number of arguments.
  package let count: Int

  @inlinable
  func value(_ position: Int) -> OpaquePointer? {
    precondition(
      position >= 0 && position < count, "The function has no argument at that position.")
    return values?[position]
  }

  /// Returns whether an argument is NULL.
  @inlinable
  package func isNull(at position: Int) -> Bool {
    sqlite3_value_type(value(position)) == SQLITE_NULL
  }

  /// Returns an argument's storage class, such as `SQLITE_TEXT`.
  @inlinable
  package func storageClass(at position: Int) -> Int32 { sqlite3_value_type(value(position)) }

  @inlinable
  package func integer(at position: Int) -> Int64 { sqlite3_value_int64(value(position)) }

  @inlinable
  package func real(at position: Int) -> Double { sqlite3_value_double(value(position)) }

  /// Calls `body` with an argument's text as UTF-8, including NUL characters, or with `nil` for
  /// NULL.
  @inlinable
  package func withText<R>(
    at position: Int, _ body: (UnsafeBufferPointer<UInt8>?) throws -> R
  ) rethrows -> R {
    guard let start = sqlite3_value_text(value(position)) else { return try body(nil) }
    let count = Int(sqlite3_value_bytes(value(position)))
    return try body(UnsafeBufferPointer(start: start, count: count))
  }

  /// Returns an argument's text, or `nil` for NULL.
  @inlinable
  package func text(at position: Int) -> String? {
    withText(at: position) { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  /// Calls `body` with an argument's bytes; with no bytes for NULL.
  @inlinable
  package func withBytes<R>(
    at position: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    let start = sqlite3_value_blob(value(position))
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(value(position)))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// The result of a registered function; NULL unless it is set.
package struct FunctionResult {
  @usableFromInline let context: OpaquePointer?

  init(context: OpaquePointer?) { self.context = context }

  @inlinable package func setNull() { sqlite3_result_null(context) }
  @inlinable package func set(_ value: Bool) { sqlite3_result_int(context, value ? 1 : 0) }
  @inlinable package func set(_ value: Int64) { sqlite3_result_int64(context, value) }
  @inlinable package func set(_ value: Double) { sqlite3_result_double(context, value) }

  @inlinable
  package func set(_ value: String) {
    var value = value
    value.withUTF8 { set(utf8: $0) }
  }

  /// Sets a result text given as UTF-8.
  ///
  /// The engine copies it.
  @inlinable
  package func set(utf8: UnsafeBufferPointer<UInt8>) {
    // Without a pointer the result would be NULL.
    utf8.withMemoryRebound(to: CChar.self) { text in
      if let start = text.baseAddress {
        sqlite3_result_text64(
          context, start, sqlite3_uint64(text.count), ov_transient(), UInt8(SQLITE_UTF8))
      } else {
        sqlite3_result_text64(context, "", 0, ov_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Sets the result bytes.
  ///
  /// The engine copies them.
  @inlinable
  package func set(bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress {
      sqlite3_result_blob64(context, start, sqlite3_uint64(bytes.count), ov_transient())
    } else {
      sqlite3_result_zeroblob(context, 0)
    }
  }
}

extension Connection {
  /// Registers a Swift function for use in SQL.
  ///
  /// - Parameters:
  ///   - name: The name in SQL. An existing function with as many arguments is replaced.
  ///   - arguments: The number of arguments; -1 for any number.
  ///   - deterministic: Whether equal arguments always lead to equal results. Such functions may be
  ///     used in indexes and may be called once for a whole statement.
  ///   - body: The implementation. An error makes the statement fail. The message of an
  ///     ``DriverError`` is retained; of other errors only the fact is reported, since they could
  ///     quote a value.
  /// - Throws: ``DriverError`` if the engine rejects the function.
  package func register(
    function name: String, arguments: Int32, deterministic: Bool,
    _ body: @escaping (FunctionArguments, FunctionResult) throws -> Void
  ) throws(DriverError) {
    let database = try open()
    var flags = SQLITE_UTF8
    if deterministic { flags |= SQLITE_DETERMINISTIC }
    if sqlite3_libversion_number() >= 3_031_000 {
      // SQLITE_INNOCUOUS and SQLITE_DIRECTONLY, which older headers lack.
      flags |= deterministic ? 0x20_0000 : 0x8_0000
    }
    let box = Unmanaged.passRetained(FunctionBox(name: name, connection: self, body: body))
    // The engine releases the box even if the call fails.
    let code = sqlite3_create_function_v2(
      database, name, arguments, flags, box.toOpaque(),
      { context, count, values in
        guard let data = sqlite3_user_data(context) else { return }
        Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue().call(context, count, values)
      }, nil, nil,
      { data in if let data { Unmanaged<FunctionBox>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Unregisters a function, unless a running statement uses it.
  package func unregister(function name: String, arguments: Int32) {
    guard let database else { return }
    sqlite3_create_function_v2(
      database, name, arguments, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }

  /// Registers a Swift comparison as a collation.
  ///
  /// - Parameters:
  ///   - name: The name in SQL.
  ///   - compare: Returns a negative number, 0 or a positive number if the first text (UTF-8) is
  ///     before, equal to or after the second. It must order all texts.
  /// - Throws: ``DriverError`` if the engine rejects the collation.
  package func register(
    collation name: String,
    _ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32
  ) throws(DriverError) {
    let database = try open()
    let box = Unmanaged.passRetained(CollationBox(compare))
    let code = sqlite3_create_collation_v2(
      database, name, SQLITE_UTF8, box.toOpaque(),
      { data, firstCount, first, secondCount, second in
        guard let data else { return 0 }
        return Unmanaged<CollationBox>.fromOpaque(data).takeUnretainedValue().compare(
          UnsafeRawBufferPointer(start: first, count: Int(firstCount)),
          UnsafeRawBufferPointer(start: second, count: Int(secondCount)))
      },
      { data in if let data { Unmanaged<CollationBox>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else {
      // Unlike with functions, the engine does not release the box if the call fails.
      box.release()
      throw failure(code)
    }
  }
}

private final class FunctionBox {
  let name: String
  unowned let connection: Connection
  let body: (FunctionArguments, FunctionResult) throws -> Void

  init(
    name: String, connection: Connection,
    body: @escaping (FunctionArguments, FunctionResult) throws -> Void
  ) {
    self.name = name
    self.connection = connection
    self.body = body
  }

  func call(
    _ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    do {
      try body(
        FunctionArguments(values: values, count: Int(count)), FunctionResult(context: context))
    } catch {
      if let error = error as? ConditionError, error.code == .pattern {
        // The message contains neither the text nor the pattern.
        connection.refusal = error.message
      } else {
        let reason = (error as? DriverError).map { ": \($0.message)" } ?? ""
        connection.refusal = "The function \(name) failed\(reason)"
      }
      sqlite3_result_error(context, "a function failed", -1)
    }
  }
}

private final class CollationBox {
  let compare: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32

  init(_ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32) {
    self.compare = compare
  }
}
