import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

/// What a file can be and what a key can be: each pair has one outcome, and none changes a byte.
@Suite struct FileStateTests {
  enum File: String, CaseIterable, Sendable {
    case whole, truncatedAtPage, truncatedWithinPage, cutWithinFirstPage, firstPageFlipped
    case saltFlipped, laterPageFlipped, empty, plain, garbage512, garbage4096
    case tooShort16, tooShort100, tooShort511, uneven10000

    func make(at path: String) throws {
      switch self {
      case .empty: try write(Data(), to: path)
      case .plain:
        let connection = try Connection.plain(path: path, mode: .create)
        try connection.execute("CREATE TABLE t(a)")
        try connection.close()
      case .garbage512: try write(garbage(512), to: path)
      case .garbage4096: try write(garbage(4096), to: path)
      case .tooShort16: try write(garbage(16), to: path)
      case .tooShort100: try write(garbage(100), to: path)
      case .tooShort511: try write(garbage(511), to: path)
      case .uneven10000: try write(garbage(10_000), to: path)
      default:
        var content = try Self.vault.get()
        switch self {
        case .truncatedAtPage: content = content.prefix(8192)
        case .truncatedWithinPage: content = content.prefix(9000)
        case .cutWithinFirstPage: content = content.prefix(1024)
        case .firstPageFlipped: content[2000] ^= 1
        case .saltFlipped: content[3] ^= 1
        // The middle of the file holds objects.
        case .laterPageFlipped: content[content.count / 2 / 4096 * 4096 + 77] ^= 1
        default: break
        }
        try write(content, to: path)
      }
    }

    /// The bytes of a vault. All files have its salt, so each passphrase is derived once.
    private static let vault = Result {
      let folder = try TemporaryFolder()
      try makeVault(folder.file("v"))
      return try bytes(folder.file("v"))
    }

    private func garbage(_ count: Int) -> Data {
      var generator = SeededGenerator(seed: UInt64(count))
      return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    var codeWithRightKey: VaultError.Code? {
      switch self {
      case .whole: nil
      case .truncatedAtPage, .truncatedWithinPage: .truncated
      case .cutWithinFirstPage, .firstPageFlipped, .laterPageFlipped: .damaged
      case .saltFlipped: .wrongKey
      default: codeWithWrongKey
      }
    }

    var codeWithWrongKey: VaultError.Code {
      switch self {
      case .empty: .empty
      case .plain: .notEncrypted
      case .tooShort16, .tooShort100, .tooShort511, .uneven10000, .truncatedWithinPage: .truncated
      default: .wrongKey
      }
    }
  }

  @Test(
    "The right passphrase has one outcome for each state of the file, and changes nothing",
    arguments: File.allCases, [false, true])
  func rightKey(file: File, isReadOnly: Bool) throws {
    let folder = try TemporaryFolder()
    try file.make(at: folder.file("v"))
    let before = try contents(of: folder)
    #expect(try refusal(folder.file("v"), isReadOnly: isReadOnly) == file.codeWithRightKey)
    var after = try contents(of: folder)
    if isReadOnly, after["v-wal"]?.isEmpty == true {
      // Who only reads cannot remove the log and the index that it had to make.
      after["v-wal"] = nil
      after["v-shm"] = nil
    }
    #expect(after == before)
  }

  @Test(
    "A wrong key has one outcome for each state of the file, and changes nothing",
    arguments: File.allCases)
  func wrongKey(file: File) throws {
    let folder = try TemporaryFolder()
    try file.make(at: folder.file("v"))
    let before = try contents(of: folder)
    let keys: [VaultKey] = [
      .passphrase("open sesame!"), .raw(Array(repeating: 7, count: 32)),
    ]
    for key in keys {
      #expect(try refusal(folder.file("v"), key) == file.codeWithWrongKey)
    }
    #expect(try contents(of: folder) == before)
  }

  @Test(
    "Asking to make a missing vault does not touch a file that is no vault",
    arguments: File.allCases)
  func creationSparesContent(file: File) throws {
    guard file != .empty else { return }
    let folder = try TemporaryFolder()
    try file.make(at: folder.file("v"))
    let before = try contents(of: folder)
    #expect(
      try refusal(folder.file("v"), .raw(Array(repeating: 7, count: 32)), creation: .ifMissing)
        == file.codeWithWrongKey)
    #expect(try contents(of: folder) == before)
  }

  @Test("An empty file becomes a vault only where one may be made")
  func emptyFile() throws {
    let folder = try TemporaryFolder()
    try write(Data(), to: folder.file("v"))
    #expect(try refusal(folder.file("v"), isReadOnly: true) == .empty)
    #expect(try refusal(folder.file("v"), creation: .ifMissing, isReadOnly: true) == .empty)
    #expect(try bytes(folder.file("v")).isEmpty)
    #expect(try refusal(folder.file("v"), creation: .ifMissing) == nil)
    #expect(try refusal(folder.file("v")) == nil)
  }

  @Test("A missing file is made only where it may be, and never when opened for reading only")
  func missingFile() throws {
    let folder = try TemporaryFolder()
    #expect(try refusal(folder.file("v")) == .noSuchFile)
    #expect(try refusal(folder.file("v"), creation: .ifMissing, isReadOnly: true) == .noSuchFile)
    #expect(try refusal(folder.file("v"), isReadOnly: true) == .noSuchFile)
    #expect(try contents(of: folder).isEmpty)
    #expect(try refusal(folder.file("v"), creation: .ifMissing) == nil)
    let made = try contents(of: folder)
    #expect(made.keys.sorted() == ["v"], "\(made)")
  }

  @Test("What is no file at the path is refused without waiting")
  func otherThanFiles() throws {
    let folder = try TemporaryFolder()
    let inside = folder.file("folder")
    try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: false)
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    try write(Data("x".utf8), to: folder.file("file"))
    for isReadOnly in [false, true] {
      for creation in [VaultConfiguration.Creation.never, .ifMissing] {
        func code(_ path: String) throws -> VaultError.Code? {
          try refusal(path, creation: creation, isReadOnly: isReadOnly)
        }
        #expect(try code(inside) == .cannotOpen)
        #expect(try code(folder.file("pipe")) == .cannotOpen)
        #expect(try code("/dev/null") == .cannotOpen)
        #expect(try code(folder.file("file/below")) == .cannotOpen)
        #expect(try code(folder.file(String(repeating: "n", count: 300))) == .cannotOpen)
        let makes = creation == .ifMissing && !isReadOnly
        #expect(try code(folder.file("missing/v")) == (makes ? .cannotOpen : .noSuchFile))
      }
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["file", "folder", "pipe"])
  }

  @Test("A file with several names is only read, unless one is the name of its unfinished copy")
  func severalNames() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try makeVault(path)
    let before = try bytes(path)
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("w"))
    for name in ["v", "w"] {
      #expect(try refusal(folder.file(name)) == .cannotOpen)
      #expect(try refusal(folder.file(name), isReadOnly: true) == nil)
    }
    let error = #expect(throws: VaultError.self) {
      try Vault(at: path, key: .passphrase(passphrase)).open()
    }
    #expect(error?.message.contains("2 names (hard links)") == true)
    // A system that cannot move a copy only to a free name gives it a second name first.
    try FileManager.default.linkItem(atPath: path, toPath: folder.file(".v.copying"))
    #expect(try refusal(path) == .cannotOpen)
    unlink(folder.file("w"))
    #expect(try bytes(path) == before)
    #expect(try refusal(path) == nil)
    #expect(try contents(of: folder).keys.sorted() == ["v"])
  }

  @Test("A copy of a file with several names has the log of its name, which stays as it is")
  func logOfOneName() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    _ = try ChildProcess.run("vault-crash", path, "kept", "300", "10")
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("w"))
    let before = try contents(of: folder)
    try DatabaseFile(at: path, key: .ofTests).backup(to: folder.file("copy"))
    let copy = try Vault(at: folder.file("copy"), key: .ofTests)
    #expect(try copy.store(of: MarkedObject.self).count() == 300)
    copy.close()
    #expect(
      code { try DatabaseFile(at: path, key: .ofTests).compact() } == .invalidArgument)
    let after = try contents(of: folder)
    for name in ["v", "v-wal", "w"] { #expect(after[name] == before[name], "\(name)") }
  }

  @Test("A symbolic link leads to its vault; one that leads nowhere is no place for a new one")
  func links() throws {
    let folder = try TemporaryFolder()
    try makeVault(folder.file("v"))
    symlink("v", folder.file("link"))
    symlink("nowhere", folder.file("dangling"))
    #expect(try refusal(folder.file("link")) == nil)
    #expect(try refusal(folder.file("dangling"), creation: .ifMissing) == .noSuchFile)
    #expect(!FileManager.default.fileExists(atPath: folder.file("nowhere")))
    // One file has one set of connections, whatever it is called.
    let vault = try Vault(at: folder.file("v"), key: .passphrase(passphrase))
    let other = try Vault(at: folder.file("link"), key: .passphrase(passphrase))
    let store = try vault.store(of: MarkedObject.self)
    try vault.transaction {
      try store.insert(MarkedObject("new", number: 0))
      #expect(try other.store(of: MarkedObject.self).count() == 101)
    }
  }
}
