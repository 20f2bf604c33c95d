import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultPrimitives

/// Checks of the libraries that encrypt.
enum EngineChecks {
  static func all() -> [Check] {
    var checks: [Check]
    do {
      checks = facts(try Engine.prove())
    } catch {
      checks = [
        Check(
          subject: "SQLCipher", result: error.message,
          remedy: "Install libsqlcipher (apt install libsqlcipher-dev, brew install sqlcipher), "
            + "and make sure that no other SQLite is loaded before it.")
      ]
    }
    checks.append(Check(subject: "cryptography", result: Cryptography.version))
    return checks + derivations()
  }

  private static func facts(_ engine: EngineInfo) -> [Check] {
    let formats = (1...engine.newestCipherFormat).map(String.init).joined(separator: ", ")
    return [
      Check(subject: "SQLCipher", result: "\(engine.cipherVersion) at \(engine.imagePath)"),
      Check(subject: "cipher formats read", result: formats),
      Check(subject: "SQLite inside", result: engine.sqliteVersion),
      temporaryStore(engine),
    ]
  }

  private static func temporaryStore(_ engine: EngineInfo) -> Check {
    let option = engine.compileOptions.first { $0.hasPrefix("TEMP_STORE=") }
    let built =
      switch option {
      case "TEMP_STORE=2": "memory unless a program asks for files"
      case "TEMP_STORE=3": "memory always"
      default: "files unless a program asks for memory"
      }
    return Check(
      subject: "temporary tables", result: "in memory in every vault (the engine's own: \(built))")
  }

  /// Returns the duration of a key derivation from a passphrase, which dominates the opening of a
  /// vault.
  ///
  /// It is calculated from a sixteenth of the work, because the duration of a round does not depend
  /// on their number.
  private static func derivations() -> [Check] {
    let formats = [CipherFormat.format3, .format4].map { format in
      timed("key derivation, format \(format.rawValue)") {
        let time = try ContinuousClock().measure {
          _ = try KeyDerivation.pbkdf2(
            Secret(utf8: "doctor"), salt: Array(repeating: 7, count: FileSalt.count),
            rounds: format.derivationRounds / 16, hash: format.hash)
        }
        return time * 16
      }
    }
    let slot = timed("key derivation, keyring") { try ScryptCost.measureStandard() }
    return formats + [slot]
  }

  private static func timed(_ subject: String, _ measure: () throws -> Duration) -> Check {
    do {
      let time = try measure()
      return Check(subject: subject, result: "\(Int((time / .milliseconds(1)).rounded())) ms")
    } catch let error as KeyError {
      return Check(subject: subject, result: error.message, remedy: remedy)
    } catch {
      return Check(subject: subject, result: "\(error)", remedy: remedy)
    }
  }

  private static let remedy = "Check the configuration of OpenSSL (openssl.cnf, FIPS mode)."
}
