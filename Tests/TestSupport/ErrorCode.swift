package import ObjectVaultCore
import Testing

/// Returns the code of the error that `body` throws; `nil` if it throws none.
///
/// Another error than a `VaultError` fails the test.
package func code(of body: () throws -> Void) -> VaultError.Code? {
  do {
    try body()
    return nil
  } catch let error as VaultError {
    return error.code
  } catch {
    Issue.record("not a VaultError: \(error)")
    return nil
  }
}
