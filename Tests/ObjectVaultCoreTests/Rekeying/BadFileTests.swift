import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

/// What a file can have come to: each pair with an operation has one outcome, and none of those that
/// are not success changes a byte or leaves one.
@Suite("An operation on a whole file") struct BadFileTests {
  enum File: String, CaseIterable, Sendable {
    case empty, otherKind, oneByte, justTheSalt, random
    case truncatedAtPage, truncatedWithinPage, cutWithinFirstPage
    case saltFlipped, firstPageFlipped, laterPageFlipped, lastPageFlipped
    case bytesAfterTheEnd, pageAfterTheEnd, zerosAfterTheEnd

    /// Does to a whole file what the case is named for.
    func spoil(_ path: String, for operation: FileOperation) throws {
      var content = try bytes(path)
      let pages = content.count / 4096
      #expect(pages > 20)
      var generator = SeededGenerator(seed: 7)
      let garbage = { (count: Int) in
        Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
      }
      switch self {
      case .empty: content = Data()
      case .otherKind:
        unlink(path)
        return try (operation.readsClear ? FileOperation.rekey : .encrypt).makeFile(at: path)
      case .oneByte: content = garbage(1)
      case .justTheSalt: content = content.prefix(16)
      case .random: content = garbage(8 * 4096)
      case .truncatedAtPage: content = content.prefix((pages - 3) * 4096)
      case .truncatedWithinPage: content = content.prefix((pages - 3) * 4096 + 1000)
      case .cutWithinFirstPage: content = content.prefix(1024)
      case .saltFlipped: content[3] ^= 1
      // In clear these bytes say what kind of page it is.
      case .firstPageFlipped: content[100] ^= 0x55
      case .laterPageFlipped: content[pages / 2 * 4096] ^= 0x55
      case .lastPageFlipped: content[(pages - 1) * 4096] ^= 0x55
      case .bytesAfterTheEnd: content += garbage(100)
      case .pageAfterTheEnd: content += garbage(4096)
      case .zerosAfterTheEnd: content += Data(count: 4096)
      }
      try write(content, to: path)
    }

    /// The outcome; `nil` is success, with every object.
    func outcome(of operation: FileOperation) -> VaultError.Code? {
      switch self {
      case .empty: .empty
      case .otherKind: operation.readsClear ? .invalidArgument : .notEncrypted
      case .oneByte: operation.readsClear ? .invalidArgument : .truncated
      case .justTheSalt: operation.readsClear ? .damaged : .truncated
      case .random:
        // The keyring has no key for the salt that the file begins with.
        operation.readsClear
          ? .invalidArgument : operation == .rotate ? .keyringMismatch : .wrongKey
      case .truncatedAtPage, .truncatedWithinPage: operation.readsClear ? .damaged : .truncated
      case .cutWithinFirstPage: .damaged
      // The raw key decrypts what follows; of a passphrase it could not be told from a wrong one.
      case .saltFlipped: operation.readsClear ? .invalidArgument : .damaged
      case .firstPageFlipped, .laterPageFlipped, .lastPageFlipped: .damaged
      case .bytesAfterTheEnd, .pageAfterTheEnd, .zerosAfterTheEnd: nil
      }
    }
  }

  @Test(
    "has one outcome for each state of the file, and changes nothing unless it succeeds",
    arguments: File.allCases, FileOperation.allCases)
  func outcomes(file: File, operation: FileOperation) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try operation.makeFile(at: path)
    try file.spoil(path, for: operation)
    let before = try contents(of: folder)
    let error = thrown { try operation.run(on: path, key: operation.key) }
    #expect(error?.code == file.outcome(of: operation), "\(error?.message ?? "it succeeded")")
    if error == nil {
      #expect(try operation.count(in: path) == 200)
    } else {
      try expectSame(before, folder)
    }
  }

  @Test("reports a page number beyond the largest file as damage, not as a full disk")
  func pageNumberOutOfRange() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    let connection = try Connection.plain(path: path, mode: .create)
    try connection.execute(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, body BLOB);
      INSERT INTO t VALUES (1, zeroblob(10000));
      """)
    try connection.close()
    var content = [UInt8](try bytes(path))
    // The only row ends at the end of page 2, with the number of the page that continues its value.
    #expect(content[8188..<8192] == [0, 0, 0, 3])
    content.replaceSubrange(8188..<8192, with: [0x7F, 0xFF, 0xFF, 0xFE])
    try write(Data(content), to: path)
    let error = thrown {
      try FileOperation.encrypt.run(on: path, key: FileOperation.encrypt.key)
    }
    #expect(error?.code == .damaged, "\(error?.message ?? "it succeeded")")
    #expect(try bytes(path) == Data(content))
  }
}

/// Nothing in the folder differs from what was there, but for what a keyring says of itself.
func expectSame(
  _ before: [String: Data], _ folder: TemporaryFolder,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let after = try contents(of: folder)
  #expect(after.keys.sorted() == before.keys.sorted(), sourceLocation: sourceLocation)
  for name in before.keys where !name.contains(".keyring") {
    #expect(after[name] == before[name], "\(name)", sourceLocation: sourceLocation)
  }
}
