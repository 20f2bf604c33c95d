import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("An unfinished copy that cannot be removed")
struct IrremovableCopyTests {
  @Test("is not called the work of another process by the operation that it prevents")
  func rekeying() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("school.vault")
    let key = VaultKey.raw(1...32)
    let vault = try Vault(at: path, key: key)
    try vault.store(of: Person.self).insert(Person(name: "marker"))
    vault.close()
    // A folder cannot be removed like a file, as the file of another user cannot in a shared
    // folder.
    let copy = folder.file(".school.vault.copying")
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    let error = thrown { try DatabaseFile(at: path, key: key).rekey(to: .raw(2...33)) }
    #expect(error?.code == .cannotOpen)
    #expect(error?.message.contains("Cannot remove '\(copy)'") == true)
    let opened = try Vault(at: path, key: key)
    #expect(try opened.store(of: Person.self).count() == 1)
    opened.close()
  }
}
