internal import ObjectVaultCore
internal import ObjectVaultEngine

/// Prints the result of `body`, or the code and the message of its error.
///
/// Returns the exit code: 0, 70 for an error of the library or the engine, and 71 for any other
/// error.
func answer(_ body: () throws -> String) -> Int32 {
  do {
    print(try body())
    return 0
  } catch let error as VaultError {
    print("\(error.code): \(error.message)")
    return 70
  } catch let error as DriverError {
    print("\(error.code): \(error.message)")
    return 70
  } catch {
    print("\(error)")
    return 71
  }
}
