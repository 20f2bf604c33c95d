import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultFile
import TestSupport
import Testing

@testable import ObjectVaultMaintenance

@Suite("A comparison of the pages of two files")
struct PageComparisonTests {
  private let folder: TemporaryFolder
  private let (first, second): (String, String)

  init() throws {
    folder = try TemporaryFolder()
    (first, second) = (folder.file("first"), folder.file("second"))
    let connection = try FileForm.clear(pageSize: 1024).open(first)
    // Page 1, the table's root, some of its pages, and free pages with former content.
    try connection.execute("CREATE TABLE t(a); PRAGMA secure_delete = 0")
    for _ in 0..<20 { try connection.execute("INSERT INTO t VALUES (hex(randomblob(200)))") }
    try connection.execute("DELETE FROM t WHERE rowid > 5")
    try connection.close()
    try FileManager.default.copyItem(atPath: first, toPath: second)
  }

  /// The message of the difference between the files, if there is one.
  private func difference() throws -> String? {
    let (held, _) = try HeldFile.acquire(first, readOnly: true, creating: false)
    defer { held.release() }
    let copy = try FileForm.clear(pageSize: 1024).open(second)
    defer { try? copy.close() }
    let source = FileRewriting.Source(path: first, held: held, cipher: nil, isWritable: false)
    let comparison = try #require(
      try PageComparison(source: source, copied: copy, cipher: nil))
    var reports: [RekeyProgress] = []
    let error = thrown {
      try comparison.check(RewritingReport(pageSize: 1024) { reports.append($0) })
    }
    #expect(error == nil || error?.code == .damaged)
    let pages = try bytes(first).count / 1024
    #expect(reports.first?.done == 0)
    #expect((reports.last?.done == 2 * pages) == (error == nil))
    #expect(reports.allSatisfy { $0.phase == .comparing && $0.total == 2 * pages })
    return error?.message
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
  }

  private func change(_ path: String, _ body: (inout [UInt8]) -> Void) throws {
    var bytes = try bytes(path)
    body(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test("finds no difference between equal files")
  func equal() throws {
    #expect(try difference() == nil)
  }

  @Test("names the page of a single bit that differs, in use or free")
  func bits() throws {
    let count = try bytes(first).count / 1024
    #expect(count > 5)
    for page in 1...count {
      let place = (page - 1) * 1024 + 700
      try change(second) { $0[place] ^= 0x10 }
      let message = try #require(try difference())
      #expect(message.contains("differs from the original in page \(page)."))
      try change(second) { $0[place] ^= 0x10 }
    }
    #expect(try difference() == nil)
  }

  @Test("compares the header except for the fields that each file has of its own")
  func header() throws {
    for place in [18, 19, 27, 43, 95, 99] {
      // The forms of the log are 1 and 2.
      try change(first) { $0[place] ^= place < 20 ? 0x03 : 0x01 }
      // The engine trusts the number of pages only if the two numbers of changes are equal.
      if place == 27 { try change(first) { $0[95] ^= 0x01 } }
      if place == 95 { try change(first) { $0[27] ^= 0x01 } }
      #expect(try difference() == nil)
    }
    for place in [44 + 3, 60 + 3, 68 + 3] {
      try change(first) { $0[place] ^= 0x01 }
      #expect(try difference()?.contains("in page 1.") == true)
      try change(first) { $0[place] ^= 0x01 }
    }
  }

  @Test("finds that a page is missing")
  func shorter() throws {
    let copy = try FileForm.clear(pageSize: 1024).open(second)
    try copy.execute("VACUUM")
    try copy.close()
    #expect(try difference()?.contains("the number or the size of its pages") == true)
  }
}
