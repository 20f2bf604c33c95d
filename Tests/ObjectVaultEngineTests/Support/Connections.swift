import ObjectVaultDriver
import ObjectVaultEngine

/// A raw key, which costs no derivation.
let testKey = "x'" + String(repeating: "5a", count: 32) + "'"

extension Connection {
  /// Opens under the test key with the newest format this engine has, unless told otherwise.
  static func test(
    _ path: String, _ mode: Mode = .create, key: String = testKey,
    cipher: CipherSettings? = nil, options: ConnectionOptions = ConnectionOptions()
  ) throws(DriverError) -> Connection {
    let newest = try Engine.prove().newestCipherFormat
    let settings = cipher ?? CipherSettings(format: newest)
    let bytes = Array(key.utf8)
    let outcome = bytes.withUnsafeBytes { key -> Result<Connection, DriverError> in
      do throws(DriverError) {
        return .success(
          try Connection(path: path, mode: mode, key: key, cipher: settings, options: options))
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }

  /// The first column of the first row, as text.
  func text(_ sql: String) throws(DriverError) -> String? {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.row.text(at: 0) : nil
  }

  func integer(_ sql: String) throws(DriverError) -> Int64? {
    let statement = try statement(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.row.integer(at: 0) : nil
  }
}

/// The error a call throws, or `nil` when it throws none.
func engineError(_ body: () throws -> Void) -> DriverError? {
  do {
    try body()
    return nil
  } catch let error as DriverError {
    return error
  } catch {
    return nil
  }
}
