import ObjectVaultCondition
import ObjectVaultEngine

extension Row {
  /// The column's value as the file keeps it.
  func storedValue(at position: Int) -> StoredValue {
    switch storageClass(at: position) {
    case StorageClass.integer: .integer(integer(at: position))
    case StorageClass.real: .real(real(at: position))
    case StorageClass.text: .text(text(at: position) ?? "")
    case StorageClass.blob: .blob(withBytes(at: position) { [UInt8]($0) })
    default: .null
    }
  }
}
