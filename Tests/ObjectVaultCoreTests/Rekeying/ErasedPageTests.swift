import Foundation
import TestSupport
import Testing

import ObjectVaultCore

@Suite("A page that was overwritten with zeros") struct ErasedPageTests {
  private let folder: TemporaryFolder
  private let path: String
  private let key = VaultKey.raw([UInt8](repeating: 7, count: 32))
  private let newKey = VaultKey.raw([UInt8](repeating: 8, count: 32))

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
  }

  /// Makes a vault without free pages, with values that continue on other pages.
  private func made() throws -> Data {
    let vault = try Vault(at: path, key: key)
    let text = String(repeating: "long ", count: 2_000)
    try vault.store(of: Person.self).insert(
      contentsOf: (0..<2).map { Person(name: "\($0)" + text, age: $0) })
    vault.close()
    return try bytes(path)
  }

  @Test("is authenticated in no copy: none is made, and the file is unchanged")
  func copies() throws {
    let sound = try made()
    let pageCount = sound.count / 4096
    #expect(pageCount > 7)
    let copy = folder.file("copy.db")
    for number in 2...pageCount {
      var data = sound
      data.replaceSubrange((number - 1) * 4096..<number * 4096, with: Data(count: 4096))
      try write(data, to: path)
      func expectRejected(_ operations: [() throws -> Void]) throws {
        for operation in operations {
          #expect(code(of: operation) == .damaged, "page \(number)")
          #expect(!FileManager.default.fileExists(atPath: copy))
        }
      }
      let file = try DatabaseFile(at: path, key: key)
      try expectRejected([
        { try file.rekey(to: newKey) }, { _ = try file.upgrade(pageSize: 8192) },
        { _ = try file.backup(to: copy) }, { _ = try file.decrypt(to: copy) },
      ])
      #expect(try bytes(path) == data)
      try expectRejected([
        { try Vault(at: path, key: key).rekey(to: newKey) },
        { _ = try Vault(at: path, key: key).backup(to: copy) },
      ])
    }
  }

  @Test("is also found if it was cut off the end of a file with a log")
  func truncated() throws {
    _ = try made()
    let vault = try Vault(at: path, key: key)
    try vault.store(of: Person.self).insert(Person(name: "short"))
    let other = folder.file("other.vault")
    try write(bytes(path).dropLast(4096), to: other)
    try write(bytes(path + "-wal"), to: other + "-wal")
    let copy = folder.file("copy.db")
    let file = try DatabaseFile(at: other, key: key)
    #expect(code { _ = try file.backup(to: copy) } == .damaged)
    #expect(!FileManager.default.fileExists(atPath: copy))
  }
}
