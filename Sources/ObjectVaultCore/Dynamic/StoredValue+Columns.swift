import ObjectVaultCondition
import ObjectVaultDriver

extension Row {
  /// Returns the stored value of the column.
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
