package import ObjectVaultDriver
package import ObjectVaultKeys

/// The opening of a file that another process may replace in the meantime.
///
/// A process that rekeys, compacts or restores a file overwrites the start of the former file. A
/// connection that waited for its lock then finds a wrong key or a damaged file.
package enum Reopening {
  /// The number of attempts to open a file that is replaced again and again.
  private static let attempts = 5

  /// Calls `body`, and calls it again if its error can be due to another file at the path.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - body: The opening. It sets its argument to the file that it opened, and to `nil` when it
  ///     must not be called again.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`; `.replaced` if each attempt opened a file that was replaced.
  package static func whileReplaced<R>(
    _ path: String, _ body: (inout HeldFile.Identity?) throws -> R
  ) throws -> R {
    var attempt = 1
    while true {
      var opened: HeldFile.Identity?
      do {
        return try body(&opened)
      } catch {
        guard let opened, let present = HeldFile.Identity(path: path), present != opened else {
          throw error
        }
        guard attempt < attempts else { throw VaultError.replacedWhileOpening(path) }
        attempt += 1
      }
    }
  }

  /// Calls `body`, and calls it again if a keyring was changed while `body` opened a slot of it.
  ///
  /// The vault already has the number of the changed keyring then, and rejects the one from before;
  /// or the file has a data key that only the changed keyring has. A keyring that was put back has
  /// no later number than before, so it stays rejected.
  ///
  /// - Parameters:
  ///   - keyring: The file of the keyring; `nil` for another key.
  ///   - body: The opening.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`.
  package static func whileKeyringChanges<R>(
    _ keyring: KeyringFile?, _ body: () throws -> R
  ) throws -> R {
    func generation() -> UInt64? { try? keyring?.read().keyring.generation }
    var attempt = 1
    while true {
      let before = generation()
      do {
        return try body()
      } catch let error where isAboutFormerKeyring(error) {
        guard attempt < attempts, let before, let now = generation(), now > before else {
          throw error
        }
        attempt += 1
      }
    }
  }

  /// Returns whether an error can be due to a keyring that was changed after it was read.
  private static func isAboutFormerKeyring(_ error: any Error) -> Bool {
    switch error {
    case let error as VaultError:
      error.code == .keyringRolledBack || error.code == .keyringMismatch
    case let error as KeyError:
      error.code == .keyringRolledBack || error.code == .keyringMismatch
    default: false
    }
  }

  /// Throws `.replaced` if another file is at the path of a file that is being opened.
  package static func check(_ path: String, leadsTo opened: HeldFile.Identity) throws(VaultError) {
    if HeldFile.Identity(path: path) != opened { throw .replacedWhileOpening(path) }
  }
}

extension VaultError {
  /// Returns the error for a file that was replaced while it was being opened.
  package static func replacedWhileOpening(
    _ path: String, _ underlying: (any Error)? = nil
  ) -> VaultError {
    VaultError(
      .replaced,
      "'\(path)' was removed or replaced by another file while it was being opened. Nothing was "
        + "changed. Try again.",
      underlying: underlying)
  }
}
