import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import Testing
import TestSupport

@testable import ObjectVaultFile

@Suite("The proof that a first page is encrypted", .covers("S63")) struct FirstPageTests {
  private let folder: TemporaryFolder
  private let key = [UInt8](repeating: 7, count: 32)
  private let salt = [UInt8](repeating: 9, count: 16)

  init() throws { folder = try TemporaryFolder() }

  private func isSealed(_ name: String, format: CipherFormat, key: [UInt8]) throws -> Bool {
    let (held, _) = try HeldFile.acquire(folder.file(name), readOnly: true, creating: false)
    let file = OpenedFile(
      held: held,
      cipher: FileCipher(
        scheme: CipherScheme(format), pageSize: 4096, rawKey: SharedSecret(Secret(copying: key)),
        salt: try #require(FileSalt(salt))),
      key: .raw(key))
    defer { file.close() }
    return try file.isFirstPageSealed()
  }

  @Test("holds for the file of a vault under its key alone")
  func vault() throws {
    let vault = try Vault(at: folder.file("a.vault"), key: .raw(key + salt))
    let format = try #require(CipherFormat(rawValue: vault.cipherInfo().format))
    #expect(try isSealed("a.vault", format: format, key: key))
    #expect(try !isSealed("a.vault", format: format, key: key.map { $0 + 1 }))
  }

  @Test("fails for a file in clear, and for one without a whole page")
  func clear() throws {
    let plain = try Connection.plain(path: folder.file("plain.db"), mode: .create)
    try plain.execute("CREATE TABLE a (b); INSERT INTO a VALUES (zeroblob(9000))")
    try plain.close()
    #expect(try !isSealed("plain.db", format: .format3, key: key))
    try Data(count: 100).write(to: folder.url.appendingPathComponent("short.db"))
    #expect(try !isSealed("short.db", format: .format3, key: key))
  }
}
