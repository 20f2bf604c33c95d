import ObjectVault
import ObjectVaultEngine
import TestSupport

/// Returns the object that is read from a row with the values of `object`.
///
/// There is no table. The generated code binds and reads every column by position.
///
/// - Parameters:
///   - object: The object to bind to the row.
///   - objectID: The value of the column of a generated object ID.
/// - Returns: The object read from the row.
/// - Throws: An error of encoding, decoding or the engine.
func roundTrip<T: StoredObject>(_ object: T, objectID: Int64? = nil) throws -> T {
  let count = T.classDescription.properties.count
  let columns = (1...max(count + 1, 1)).map { "?\($0)" }.joined(separator: ", ")
  let folder = try TemporaryFolder()
  let connection = try Connection.plain(path: folder.file("row.db"), mode: .create)
  let statement = try connection.prepare("SELECT \(columns)")
  let binder = statement.binder
  try object.encode(into: binder)
  if let objectID { binder.bind(integer: objectID, at: count) }
  guard try statement.step() else { throw NoRow() }
  return try T(row: statement.row)
}

private struct NoRow: Error {}
