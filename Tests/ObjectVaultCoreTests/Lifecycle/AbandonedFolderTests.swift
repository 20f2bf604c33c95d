import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("What temporary vaults of ended processes left") struct AbandonedFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The folders that have the file of a temporary vault.
  private func vaults() throws -> Set<String> {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Set(names.filter { $0.hasSuffix("/temporary.vault") }.map { String($0.dropLast(16)) })
  }

  private func open() throws -> Vault {
    let vault = try Vault.temporary(in: folder.url)
    try vault.open()
    return vault
  }

  /// A folder as an ended process leaves it.
  ///
  /// - Returns: Its path.
  private func abandoned(_ name: String, lock: String? = "lock", rights: Int = 0o700) throws -> URL
  {
    let own = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: own, withIntermediateDirectories: false, attributes: [.posixPermissions: rights])
    for file in ["temporary.vault", "temporary.vault-wal", lock].compactMap({ $0 }) {
      try Data("x".utf8).write(to: own.appendingPathComponent(file))
    }
    return own
  }

  private func newName() -> String { "objectvault-\(UUID().uuidString)" }

  @Test("is removed with the next one, and nothing of a process that lives")
  func killed() throws {
    let child = try HoldingChild("vault-temporary", folder.path)
    let left = try vaults()
    #expect(left.count == 1)
    let first = try open()
    #expect(try vaults().isSuperset(of: left) && vaults().count == 2)
    _ = try child.end()
    #expect(try vaults().isSuperset(of: left))
    let second = try open()
    #expect(try vaults().isDisjoint(with: left) && vaults().count == 2)
    #expect(try first.store(of: MarkedObject.self).count() == 0)
    first.close()
    second.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("is removed with all that belongs to it, and no file of others")
  func files() throws {
    let (plain, mixed) = (try abandoned(newName()), try abandoned(newName()))
    try Data("mine".utf8).write(to: mixed.appendingPathComponent("note.txt"))
    let vault = try open()
    #expect(!FileManager.default.fileExists(atPath: plain.path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: mixed.path) == ["note.txt"])
    #if os(Linux)
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      }
      #expect(open.filter { $0.hasPrefix(plain.path) || $0.hasPrefix(mixed.path) } == [])
    #endif
    vault.close()
  }

  @Test("is left where it is not certain that it is one")
  func others() throws {
    let kept = [
      try abandoned("objectvault-notes"), try abandoned(newName(), lock: nil),
      try abandoned(newName(), rights: 0o755), try abandoned(newName().lowercased()),
      try abandoned("mine-\(UUID().uuidString)"),
    ]
    // A link leads to what looks like one.
    let link = folder.url.appendingPathComponent(newName())
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: kept[0])
    let linked = try abandoned(newName(), lock: nil)
    let target = folder.url.appendingPathComponent("target")
    try Data().write(to: target)
    try FileManager.default.createSymbolicLink(
      at: linked.appendingPathComponent("lock"), withDestinationURL: target)
    let vault = try open()
    for path in kept + [linked] {
      #expect(
        FileManager.default.fileExists(
          atPath: path.appendingPathComponent("temporary.vault").path), "\(path.lastPathComponent)")
    }
    vault.close()
  }
}
