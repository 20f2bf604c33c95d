import ObjectVaultCondition
package import ObjectVaultDriver

extension FunctionArguments {
  /// Returns the storage class of an argument.
  package func storage(at position: Int) -> StorageClass {
    StorageClass(code: storageClass(at: position))
  }

  /// Returns an argument's value as the file stores it.
  func storedValue(at position: Int) -> StoredValue {
    switch storage(at: position) {
    case .integer: .integer(integer(at: position))
    case .real: .real(real(at: position))
    case .text: .text(text(at: position) ?? "")
    case .blob: .blob(withBytes(at: position) { [UInt8]($0) })
    case .null: .null
    }
  }
}
