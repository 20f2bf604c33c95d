import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// Representative cells of `Scripts/formats`, which tries them all.
@Suite("Files whose programs set SQLCipher's settings") struct ForeignSettingsTests {
  struct Cell: CustomStringConvertible, Sendable {
    /// The settings of the program.
    var settings: [String]
    /// What `doctor` names of them.
    var said: String
    /// The options without which the file is not accepted.
    var options: [String] = []
    /// What comes before the content.
    var content: [String] = []
    var description: String { (settings + content).joined(separator: " ") }
  }

  static let cells = [
    Cell(settings: ["PRAGMA cipher_hmac_pgno = be;"], said: "cipher_hmac_pgno = be"),
    Cell(
      settings: ["PRAGMA cipher_hmac_pgno = native;", "PRAGMA kdf_iter = 1;"], said: "kdf_iter = 1",
      content: ["PRAGMA auto_vacuum = FULL;"]),
    Cell(
      settings: ["PRAGMA cipher_hmac_salt_mask = \"x'00'\";", "PRAGMA kdf_iter = 4000;"],
      said: "cipher_hmac_salt_mask = x'00'", content: ["PRAGMA journal_mode = WAL;"]),
    Cell(
      settings: ["PRAGMA fast_kdf_iter = 4000;", "PRAGMA cipher_hmac_pgno = be;"],
      said: "cipher_hmac_pgno = be, fast_kdf_iter = 4000",
      content: ["PRAGMA encoding = 'UTF-16le';"]),
    Cell(
      settings: ["PRAGMA cipher_use_hmac = OFF;"], said: "cipher_use_hmac = OFF",
      options: ["--from-no-hmac"]),
    Cell(
      settings: ["PRAGMA cipher_use_hmac = OFF;", "PRAGMA kdf_iter = 4000;"],
      said: "cipher format 1", options: ["--from-format", "1"]),
    Cell(
      settings: ["PRAGMA fast_kdf_iter = 9;"], said: "fast_kdf_iter = 9",
      options: ["--from-fast-kdf-iter", "9"]),
    Cell(
      settings: ["PRAGMA kdf_iter = 4000;", "PRAGMA cipher_page_size = 65536;"],
      said: "cipher format 2, pages of 65536 bytes"),
  ]

  let folder: TemporaryFolder
  let old = "old words"

  init() throws { folder = try TemporaryFolder() }

  private func make(_ cell: Cell) throws -> ForeignFile {
    let file = ForeignFile(path: folder.file("notes.db"), settings: cell.settings)
    _ = try CipherShell.run(
      file.path,
      ["PRAGMA key = '\(old)';", "PRAGMA cipher_compatibility = 3;"] + cell.settings
        + cell.content + ["CREATE TABLE first(a);"])
    try file.make(old, journalMode: cell.description.contains("WAL") ? "WAL" : "DELETE")
    try #require(try file.isOpened(by: old))
    return file
  }

  private func tool(_ arguments: [String]) throws -> ChildProcess {
    try TestTool.bare(
      arguments + ["--key-env", "OLD"], environment: ["OLD": old, "NEW": "new words"])
  }

  @Test("doctor names format and settings, whatever they are", arguments: cells)
  func doctor(cell: Cell) throws {
    let file = try make(cell)
    let before = try file.bytes
    // A setting that cannot be guessed must be named to it, too.
    let options = cell.options.first == "--from-fast-kdf-iter" ? cell.options : []
    let result = try tool(["doctor", file.path] + options)
    #expect(result.output.contains("cipher: cipher format"), "\(result.output)\(result.errors)")
    #expect(result.output.contains(cell.said), "\(result.output)")
    #expect(result.output.contains("no page authentication") == cell.said.unauthenticates)
    #expect(try file.bytes == before)
  }

  @Test("rekey keeps the settings, which the program goes on setting", arguments: cells)
  func rekey(cell: Cell) throws {
    let file = try make(cell)
    let before = try file.bytes
    let arguments = ["rekey", file.path, "--new-key-env", "NEW"]
    if !cell.options.isEmpty {
      let refused = try tool(arguments)
      #expect(refused.code == 65)
      #expect(refused.errors.contains(cell.options[0]), "\(refused.errors)")
      #expect(!refused.errors.contains("damaged"), "\(refused.errors)")
      #expect(try file.bytes == before)
    }
    let result = try tool(arguments + cell.options)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains(cell.said))
    #expect(try file.isOpened(by: "new words"))
    #expect(try !file.isOpened(by: old))
  }

  @Test("upgrade makes a file of them that opens as a vault", arguments: cells)
  func upgrade(cell: Cell) throws {
    let file = try make(cell)
    let key = VaultKey.passphrase(old)
    if cell.said != "kdf_iter = 1", !cell.said.hasPrefix("cipher format 2") {
      let error = #expect(throws: VaultError.self) {
        try Vault(at: file.path, key: key).open()
      }
      #expect(
        error?.code == (cell.said.unauthenticates ? .unauthenticated : .unsupportedCipherSettings))
    }
    let result = try tool(["upgrade", file.path, "--cipher-format", "portable"] + cell.options)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.hasSuffix("(cipher format 3, pages of 4096 bytes).\n"))
    let vault = try Vault(at: file.path, key: key)
    #expect(try vault.store(named: "note").count() == 1)
  }

  @Test("decrypt writes their content", arguments: cells)
  func decrypt(cell: Cell) throws {
    let file = try make(cell)
    let target = folder.file("clear.db")
    let result = try tool(["decrypt", file.path, "--to", target, "--yes"] + cell.options)
    #expect(result.code == 0, "\(result.errors)")
    let rows = try CipherShell.run(target, ["SELECT 'found ' || body FROM note;"])
    #expect(rows.contains("found kept words"))
  }

  /// Opens a vault under a raw key, which makes it if it is missing.
  private static func useVault(_ path: String) throws {
    let vault = try Vault(at: path, key: .raw(1...32))
    try vault.open()
    vault.close()
  }

  private static func rekey(_ path: String) throws {
    try DatabaseFile(at: path, key: .passphrase("old words")).rekey(to: .passphrase("old words"))
  }

  @Test("other files open under their keys while a file with another salt mask does")
  func saltMaskIsOfOneConnection() async throws {
    let masked = try make(Self.cells[2])
    let (path, vault) = (masked.path, folder.file("vault"))
    try Self.useVault(vault)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for _ in 0..<3 { try Self.rekey(path) } }
      group.addTask { for _ in 0..<50 { try Self.useVault(vault) } }
      try await group.waitForAll()
    }
    #expect(try masked.isOpened(by: old))
    try Self.useVault(vault)
  }

  @Test("verify finds no page authentication unless it is named, and exits with 1")
  func verify() throws {
    let file = try make(Self.cells[4])
    let found = try tool(["verify", file.path])
    #expect(found.code == 1)
    #expect(found.errors.contains("without page authentication"))
    let named = try tool(["verify", file.path, "--from-no-hmac"])
    #expect(named.code == 0, "\(named.output)\(named.errors)")
    #expect(named.output.contains("without authentication codes"))
  }

  @Test("a vault command opens a file of format 1 if it is named, and says how if not")
  func vaultCommand() throws {
    let path = folder.file("old.db")
    try FileManager.default.copyItem(
      atPath: GuideShell.root.appendingPathComponent("Fixtures/databases/format1-512.db").path,
      toPath: path)
    func classes(_ options: [String]) throws -> ChildProcess {
      try TestTool.bare(
        ["classes", path, "--key-env", "KEY"] + options, environment: ["KEY": "open sesame"])
    }
    let refused = try classes([])
    #expect(refused.code == 65)
    #expect(refused.errors.contains("--from-format 1"), "\(refused.errors)")
    let opened = try classes(["--from-format", "1"])
    #expect(opened.code == 0, "\(opened.errors)")
    #expect(opened.output.contains("cipher format 1"))
  }

  @Test("a keyring cannot have a file with such settings, which stays as it is")
  func keyring() throws {
    let file = try make(Self.cells[0])
    let before = try file.bytes
    let result = try tool(
      ["rekey", file.path, "--to", "keyring", "--new-key-env", "NEW"])
    #expect(result.code == 65)
    #expect(
      result.errors.contains("Upgrade the file to the newest format first"), "\(result.errors)")
    #expect(try file.bytes == before)
  }
}

extension String {
  /// Whether settings leave pages without authentication.
  fileprivate var unauthenticates: Bool {
    contains("cipher_use_hmac") || self == "cipher format 1"
  }
}
