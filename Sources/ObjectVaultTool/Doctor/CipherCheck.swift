import ObjectVaultEngine
import ObjectVaultTerminal
import ObjectVaultCore

/// The check of a file's cipher settings, which requires its key.
enum CipherCheck {
  /// Returns the check for a file.
  ///
  /// `facts` detects the cipher settings.
  static func of(_ path: String, _ facts: () throws -> CipherInfo) -> Check {
    let name = PrintableText.escaped(path)
    do {
      let facts = try facts()
      return Check(
        subject: "cipher", result: "\(facts)", remedy: remedy(facts, name))
    } catch let error as VaultError {
      return Check(
        subject: "cipher", result: "not recognised (\(error.code))", remedy: error.description)
    } catch {
      return Check(
        subject: "cipher", result: "not recognised",
        remedy: (error as? ToolError)?.message ?? "\(error)")
    }
  }

  private static func remedy(_ facts: CipherInfo, _ name: String) -> String? {
    if !facts.isAuthenticated {
      let naming =
        facts.format == 1 && facts.otherSettings.isEmpty ? "--from-format 1" : "--from-no-hmac"
      return
        "A changed page is not detected, and someone may have removed the authentication codes. If "
        + "the file's program writes none, run: objectvault upgrade '\(name)' \(naming)"
    }
    if !facts.otherSettings.isEmpty {
      return
        "A vault has the settings of its format. 'objectvault rekey' preserves these settings for "
        + "the file's program. To use the file as a vault, run: objectvault upgrade '\(name)'"
    }
    let newest = (try? Engine.prove().newestCipherFormat) ?? facts.format
    if facts.format > newest {
      return "The SQLCipher of this machine reads formats up to \(newest). Use SQLCipher 4."
    }
    return nil
  }
}
