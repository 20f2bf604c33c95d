import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

import ObjectVaultStores

@Suite("The words of an index")
struct SearchSecrecyTests {
  /// As the index keeps it: small letters, one word.
  private static let marker = "xyzzyfulltextmarker"
  private static let control = "ploverfulltextcontrol"

  @Test("stand in no file in clear, nor in a temporary one while it is made anew")
  func secrecy() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    let watch = FileWatch(folder: folder.path, marker: Self.marker)
    do {
      var configuration = VaultConfiguration()
      configuration.writerCache = .mebibytes(1)
      let vault = try Vault(at: path, key: .raw(1...32), configuration: configuration)
      let store = try vault.store(of: SeaPage.self)
      try vault.file().join {
        $0.engine.setProgress(every: 5_000) {
          watch.look()
          return false
        }
      }
      let text = (0..<50).map { "\(Self.marker)\($0)" }.joined(separator: " ")
      try store.insert(contentsOf: (0..<2000).map { SeaPage("\(Self.marker)\($0)", text) })
      watch.look()
      #expect(try store.search("\(Self.marker)7*").matches().count == 2000)
      try store.search("\(Self.marker)1999").remove()
      try store.rebuildSearch()
      watch.look()
      #expect(watch.saw("/v") && watch.saw("/v-wal") && watch.count > 20)
    }
    #expect(watch.filesHolding.isEmpty, "\(watch.filesHolding)")
    #expect(try FileScan.filesHolding(Self.marker, in: folder.path).isEmpty)
  }

  @Test("are found by the same search where the file is not encrypted")
  func control() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    let vault = try Vault(at: path, key: .raw(1...32))
    try vault.store(of: SeaPage.self).insert(SeaPage(Self.control.uppercased()))
    vault.close()
    #expect(try FileScan.filesHolding(Self.control, in: folder.path).isEmpty)
    try DatabaseFile(at: path, key: .raw(1...32)).decrypt(to: folder.file("plain"))
    // In small letters, which only the index has.
    #expect(try FileScan.filesHolding(Self.control, in: folder.path) == ["plain"])
  }

  @Test("of removed texts are gone after a rebuild of the index and a compaction")
  func removed() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    for rebuilds in [false, true] {
      let vault = try Vault(at: path, key: .raw(1...32))
      let store = try vault.store(of: SeaPage.self)
      try store.insert(contentsOf: [SeaPage("other"), SeaPage(Self.control.uppercased())])
      try store.search(Self.control).remove()
      if rebuilds { try store.rebuildSearch() }
      try vault.compact()
      vault.close()
      try DatabaseFile(at: path, key: .raw(1...32)).decrypt(to: folder.file("plain"))
      #expect(
        try FileScan.filesHolding(Self.control, in: folder.path) == (rebuilds ? [] : ["plain"]))
      try FileManager.default.removeItem(atPath: folder.file("plain"))
    }
  }
}
