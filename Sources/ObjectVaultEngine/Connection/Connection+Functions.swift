internal import CSQLCipher

/// The arguments of a call of a registered function; valid only inside it.
package struct FunctionArguments {
  @usableFromInline let values: UnsafeMutablePointer<OpaquePointer?>?
  /// How many there are.
  package let count: Int

  init(values: UnsafeMutablePointer<OpaquePointer?>?, count: Int) {
    self.values = values
    self.count = count
  }

  @inlinable
  func value(_ position: Int) -> OpaquePointer? {
    precondition(position >= 0 && position < count, "no such argument")
    return values?[position]
  }

  /// Whether an argument holds no value.
  @inlinable
  package func isNull(at position: Int) -> Bool {
    sqlite3_value_type(value(position)) == SQLITE_NULL
  }

  /// An argument's storage class, such as `SQLITE_TEXT`.
  @inlinable
  package func storageClass(at position: Int) -> Int32 { sqlite3_value_type(value(position)) }

  @inlinable
  package func integer(at position: Int) -> Int64 { sqlite3_value_int64(value(position)) }

  @inlinable
  package func real(at position: Int) -> Double { sqlite3_value_double(value(position)) }

  /// An argument's text as UTF-8, NUL characters included, or `nil` for NULL.
  @inlinable
  package func withText<R>(
    at position: Int, _ body: (UnsafeBufferPointer<UInt8>?) throws -> R
  ) rethrows -> R {
    guard let start = sqlite3_value_text(value(position)) else { return try body(nil) }
    let count = Int(sqlite3_value_bytes(value(position)))
    return try body(UnsafeBufferPointer(start: start, count: count))
  }

  /// An argument's text, or `nil` for NULL.
  @inlinable
  package func text(at position: Int) -> String? {
    withText(at: position) { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  /// An argument's bytes; none for NULL.
  @inlinable
  package func withBytes<R>(
    at position: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    let start = sqlite3_value_blob(value(position))
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(value(position)))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }
}

/// Where a registered function puts its answer; NULL when it puts none.
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

  /// Answers with text given as UTF-8, of which the engine makes a copy.
  @inlinable
  package func set(utf8: UnsafeBufferPointer<UInt8>) {
    // Without a pointer the answer would be NULL.
    utf8.withMemoryRebound(to: CChar.self) { text in
      if let start = text.baseAddress {
        sqlite3_result_text64(
          context, start, sqlite3_uint64(text.count), ov_transient(), UInt8(SQLITE_UTF8))
      } else {
        sqlite3_result_text64(context, "", 0, ov_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }

  /// Answers with bytes, of which the engine makes a copy.
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
  /// Makes a Swift function callable from SQL.
  ///
  /// - Parameters:
  ///   - name: its name in SQL; one that exists with as many arguments is replaced.
  ///   - arguments: how many it takes; -1 for any number.
  ///   - deterministic: whether equal arguments always give equal answers. Such functions may
  ///     stand in indexes and be called once for a whole statement.
  ///   - body: what it does. An error makes the statement fail; of an ``EngineError`` the message
  ///     is kept, of others only that there was one, since they could quote a value.
  package func register(
    function name: String, arguments: Int32, deterministic: Bool,
    _ body: @escaping (FunctionArguments, FunctionResult) throws -> Void
  ) throws(EngineError) {
    let database = try open()
    var flags = SQLITE_UTF8
    if deterministic { flags |= SQLITE_DETERMINISTIC }
    if sqlite3_libversion_number() >= 3_031_000 {
      // SQLITE_INNOCUOUS and SQLITE_DIRECTONLY, which older headers lack.
      flags |= deterministic ? 0x20_0000 : 0x8_0000
    }
    let box = Unmanaged.passRetained(FunctionBox(name: name, connection: self, body: body))
    // The engine releases the box also when it fails.
    let code = sqlite3_create_function_v2(
      database, name, arguments, flags, box.toOpaque(),
      { context, count, values in
        guard let data = sqlite3_user_data(context) else { return }
        Unmanaged<FunctionBox>.fromOpaque(data).takeUnretainedValue().call(context, count, values)
      }, nil, nil,
      { data in if let data { Unmanaged<FunctionBox>.fromOpaque(data).release() } })
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Takes a function away again; one that a statement is running stays.
  package func unregister(function name: String, arguments: Int32) {
    guard let database else { return }
    sqlite3_create_function_v2(
      database, name, arguments, SQLITE_UTF8, nil, nil, nil, nil, nil)
  }

  /// Makes a Swift comparison usable as a collation.
  ///
  /// - Parameter compare: less than 0, 0 or more than 0, as the first text (UTF-8) comes before the
  ///   second, is equal or comes after it. It must order all texts.
  package func register(
    collation name: String,
    _ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32
  ) throws(EngineError) {
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
      // Unlike with functions, the engine leaves the box to its caller when it fails.
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
      let reason = (error as? EngineError).map { ": \($0.message)" } ?? ""
      connection.refusal = "the function \(name) failed\(reason)"
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
