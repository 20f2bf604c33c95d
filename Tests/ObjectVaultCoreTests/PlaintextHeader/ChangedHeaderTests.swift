import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import TestSupport
import Testing

import ObjectVaultFile

/// A plaintext header is not authenticated: anyone who can write the file can change it.
@Suite("A changed plaintext header", .enabled(if: writesPlaintextHeaders, needsSQLCipher4))
struct ChangedHeaderTests {
  private func changed(_ content: Data, _ offset: Int, _ mask: UInt8) -> Data {
    var content = content
    content[content.startIndex + offset] ^= mask
    return content
  }

  @Test("is an error at every byte, and never other data or a crash", .covers("B6"))
  func eachByte() throws {
    let vault = try HeaderVault()
    let content = try bytes(vault.path)
    for offset in 0..<32 {
      for mask in [UInt8(1), 2, 4, 0x10, 0x40, 0x80, 0xff] {
        try write(changed(content, offset, mask), to: vault.path)
        let code = try HeaderVault.refusal(vault.path)
        #expect(
          code == .damaged || code == .truncated, "byte \(offset), bits \(mask): \(code as Any)")
        for suffix in ["-wal", "-shm", "-journal"] { unlink(vault.path + suffix) }
        #expect(try bytes(vault.path) == changed(content, offset, mask))
      }
    }
    try write(content, to: vault.path)
    try HeaderVault.check(vault.path)
  }

  @Test("is reported by a verification, and all objects are salvaged", .covers("B6"))
  func verified() throws {
    let vault = try HeaderVault()
    let content = try bytes(vault.path)
    let file = try DatabaseFile(at: vault.path, key: HeaderVault.key)
    for offset in 0..<32 {
      try write(changed(content, offset, 1), to: vault.path)
      let report = try file.verify()
      #expect(!report.isSound, "byte \(offset)")
      for suffix in ["", ".keyring", ".keyring~"] { unlink(vault.out + suffix) }
      _ = try file.salvage(to: vault.out)
      #expect(try HeaderVault.refusal(vault.out) == nil, "byte \(offset)")
    }
  }

  @Test("in a log is an error, or the objects are read from the file alone", .covers("B6"))
  func inLog() throws {
    let vault = try HeaderVault()
    let handle = try Vault(at: vault.path, key: HeaderVault.key)
    let store = try handle.store(of: MarkedObject.self)
    // Page 1 is written when the number of pages changes.
    try store.insert(contentsOf: (500..<600).map { MarkedObject("new", number: $0) })
    for number in 500..<600 { try store.remove(id: "new id \(number)") }
    let (content, log) = try (bytes(vault.path), bytes(vault.path + "-wal"))
    handle.close()
    // Readers use the last image of a page.
    let frames = stride(from: 32, to: log.count, by: 24 + 4096)
    let frame = try #require(
      frames.reversed().first { log[$0..<($0 + 4)].elementsEqual([0, 0, 0, 1]) })
    for offset in 16..<28 {
      var forged = changed(log, frame + 24 + offset, 1)
      WriteAheadLog.computeChecksums(of: &forged)
      unlink(vault.path + "-shm")
      try write(content, to: vault.path)
      try write(forged, to: vault.path + "-wal")
      let code = try HeaderVault.refusal(vault.path)
      #expect(code == .damaged, "byte \(offset): \(code as Any)")
      #expect(try !DatabaseFile(at: vault.path, key: HeaderVault.key).verify().isSound)
    }
    var whole = log
    WriteAheadLog.computeChecksums(of: &whole)
    #expect(whole == log)
    unlink(vault.path + "-shm")
    try write(content, to: vault.path)
    try write(log, to: vault.path + "-wal")
    #expect(try HeaderVault.refusal(vault.path) == nil)
  }

  @Test("and a cut or longer file are errors, unless the page count was changed too", .covers("B6"))
  func length() throws {
    let vault = try HeaderVault()
    let content = try bytes(vault.path)
    try write(content + content.suffix(4096), to: vault.path)
    #expect(try HeaderVault.refusal(vault.path) == .damaged)
    try write(content.dropLast(4096), to: vault.path)
    #expect(try HeaderVault.refusal(vault.path) == .truncated)
    // The page count is not authenticated, so only the references to the lost page show that it is
    // lost.
    var cut = Data(content.dropLast(4096))
    let count = UInt32(cut.count / 4096)
    withUnsafeBytes(of: count.bigEndian) { cut.replaceSubrange(28..<32, with: $0) }
    try write(cut, to: vault.path)
    #expect(try HeaderVault.refusal(vault.path) == .damaged)
    let report = try DatabaseFile(at: vault.path, key: HeaderVault.key).verify()
    #expect(!report.isSound)
  }
}

/// A write-ahead log that is changed and given valid checksums, which need no key.
enum WriteAheadLog {
  static func computeChecksums(of log: inout Data) {
    var bytes = [UInt8](log)
    let isBigEndian = bytes[3] & 1 == 1
    var sum: (UInt32, UInt32) = (0, 0)
    func add(_ range: Range<Int>) {
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        sum.0 = sum.0 &+ word(offset) &+ sum.1
        sum.1 = sum.1 &+ word(offset + 4) &+ sum.0
      }
    }
    func word(_ offset: Int) -> UInt32 {
      let value = bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
      return isBigEndian ? value : value.byteSwapped
    }
    add(0..<24)
    for frame in stride(from: 32, through: bytes.count - 24 - 4096, by: 24 + 4096) {
      guard bytes[(frame + 8)..<(frame + 16)] == bytes[16..<24] else { break }
      add(frame..<(frame + 8))
      add((frame + 24)..<(frame + 24 + 4096))
      for (position, value) in [(16, sum.0), (20, sum.1)] {
        withUnsafeBytes(of: value.bigEndian) {
          bytes.replaceSubrange((frame + position)..<(frame + position + 4), with: $0)
        }
      }
    }
    log = Data(bytes)
  }
}
