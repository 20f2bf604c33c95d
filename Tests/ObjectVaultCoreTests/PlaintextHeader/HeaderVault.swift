import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import TestSupport
import Testing

import ObjectVaultFile

/// Whether the tested engine can write files with a plaintext header.
let writesPlaintextHeaders = ((try? Engine.prove().cipherMajor) ?? 0) >= 4

/// The traits' comment of a test that needs such an engine.
let needsSQLCipher4: Comment = "only SQLCipher 4 writes files with a plaintext header"

/// A vault with a plaintext header in a folder of its own.
struct HeaderVault {
  static let slot = SlotKey.raw(1...32)
  static let key = VaultKey.keyring(slot)
  static let count = 200
  /// The bytes before the counters: SQLite's magic, pages of 4,096 bytes, WAL mode, 80 reserved
  /// bytes.
  static let start = Array("SQLite format 3\0".utf8) + [0x10, 0, 2, 2, 80, 64, 32, 32]

  let folder: TemporaryFolder
  let path: String

  init(header: FileHeader = .plaintext) throws {
    folder = try TemporaryFolder()
    path = folder.file("school.vault")
    let vault = try Vault(at: path, key: Self.key, configuration: Self.configuration(header))
    try vault.store(of: MarkedObject.self)
      .insert(contentsOf: (0..<Self.count).map { MarkedObject("kept", number: $0) })
    vault.close()
  }

  static func configuration(_ header: FileHeader = .plaintext) -> VaultConfiguration {
    var configuration = VaultConfiguration()
    configuration.fileHeader = header
    return configuration
  }

  static var existing: VaultConfiguration {
    var configuration = VaultConfiguration()
    configuration.creation = .never
    return configuration
  }

  var out: String { path + ".out" }

  /// The form of the first bytes of a file, as the bytes show it.
  static func header(of path: String) throws -> FileHeader {
    let start = try Array(bytes(path).prefix(FileStart.count))
    return CipherFormat.hasPlaintextHeader(start) ? .plaintext : .encrypted
  }

  /// The number of objects that a key reads in a file; checks that each is the one that was stored.
  static func objects(in path: String, key: VaultKey = key) throws -> Int {
    let vault = try Vault(at: path, key: key, configuration: existing)
    defer { vault.close() }
    let objects = try vault.store(of: MarkedObject.self).all()
    for object in objects {
      let number = try #require(object.word.split(separator: " ").last.flatMap { Int($0) })
      #expect(object.text == MarkedObject("kept", number: number).text)
    }
    return objects.count
  }

  /// The code of the error with which a file is refused, or `nil` if all objects are read.
  static func refusal(_ path: String, key: VaultKey = key) throws -> VaultError.Code? {
    do {
      let count = try objects(in: path, key: key)
      #expect(count == Self.count)
      return nil
    } catch let error as VaultError {
      return error.code
    }
  }

  /// Checks that a file is sound, and has all objects and this form of its first bytes.
  static func check(
    _ path: String, _ header: FileHeader = .plaintext, key: VaultKey = key,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try Self.header(of: path) == header, sourceLocation: location)
    #expect(try objects(in: path, key: key) == count, sourceLocation: location)
    let file = try DatabaseFile(at: path, key: key)
    #expect(try file.cipherInfo().header == header, sourceLocation: location)
    let report = try file.verify()
    #expect(report.isSound, "\(report)", sourceLocation: location)
  }
}
