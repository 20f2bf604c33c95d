internal import ObjectVaultCore
internal import ObjectVaultEngine

/// Prints what `body` gives, or the code and the message of its error.
///
/// - Returns: The exit code: 0, 70 for an error of the library or the engine, 71 for any other.
func answer(_ body: () throws -> String) -> Int32 {
  do {
    print(try body())
    return 0
  } catch let error as VaultError {
    print("\(error.code): \(error.message)")
    return 70
  } catch let error as EngineError {
    print("\(error.code): \(error.message)")
    return 70
  } catch {
    print("\(error)")
    return 71
  }
}
