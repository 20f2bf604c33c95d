import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport

extension CipherShell {
  /// The key of vaults under ``VaultKey/ofTests``, as the shell reads it.
  static let keyOfTests = "x'\(VaultKey.digitsOfTests)'"

  /// What opens a file that this engine's newest format and the library's page size have.
  static func open(_ passphrase: String, portable: Bool = false) throws -> [String] {
    let newest = try Engine.prove().newestCipherFormat
    var pragmas = [
      "PRAGMA key='\(passphrase.replacingOccurrences(of: "'", with: "''"))';"
    ]
    if portable, newest >= 4 { pragmas.append("PRAGMA cipher_compatibility=3;") }
    if portable || newest < 4 { pragmas.append("PRAGMA cipher_page_size=4096;") }
    return pragmas
  }

  /// The lines that statements print on a vault's file, without what the key pragma answers.
  static func lines(
    _ file: String, _ passphrase: String, portable: Bool = false, _ statements: [String]
  ) throws -> [String] {
    let output = try run(
      file, try open(passphrase, portable: portable) + ["SELECT '>>>';"] + statements)
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let start = lines.firstIndex(of: ">>>") else { return lines }
    return Array(lines[(start + 1)...].dropLast())
  }
}
