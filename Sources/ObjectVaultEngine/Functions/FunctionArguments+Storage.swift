internal import CSQLCipher
package import ObjectVaultDriver

extension FunctionArguments {
  /// Returns the storage class of an argument.
  package func storage(at position: Int) -> StorageClass {
    StorageClass(code: storageClass(at: position))
  }
}
