import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// The process ends, or the disk is full, at every place of the making of a vault: the limit of
/// a file's size stops it within the write that crosses it.
@Suite struct InterruptedCreationTests {
  static let limits = Array(stride(from: 0, through: 45_056, by: 2_560)) + [16, 512, 4096, 8192]

  @Test(
    "A vault whose making was killed at any place is made by the next opening", arguments: limits)
  func killed(limit: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    let child = try ChildProcess.run("vault-create", path, "\(limit)", "kill")
    #expect(child.exited ? child.output == "created\n" : child.status == SIGXFSZ)
    try expectNoPlaintext(in: folder)
    // The next one holds no key of the first try that could be lost: the same key makes it work.
    #expect(try refusal(path, .ofTests, creation: .ifMissing) == nil)
    #if os(Linux)
      let journals = FileScan.openFiles(below: folder.path).map(\.name).filter {
        $0.hasPrefix(path + "-journal")
      }
      #expect(journals == [])
    #endif
    try expectUsable(path)
  }

  @Test(
    "A disk that is full while a vault is made leaves nothing in the way of the next try",
    arguments: limits)
  func fullDisk(limit: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    let child = try ChildProcess.run("vault-create", path, "\(limit)", "fail")
    #expect(child.exited)
    if child.output != "created\n" {
      let code = child.output.prefix { $0 != ":" }
      #expect(["diskFull", "inputOutput"].contains(code), "\(child.output)")
    }
    try expectNoPlaintext(in: folder)
    #expect(try refusal(path, .ofTests, creation: .ifMissing) == nil)
    try expectUsable(path)
  }

  @Test("The limits end the process within the file and within its log")
  func limitsBite() throws {
    var outcomes: Set<String> = []
    for limit in Self.limits {
      let folder = try TemporaryFolder()
      let child = try ChildProcess.run("vault-create", folder.file("v"), "\(limit)", "kill")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      outcomes.insert(child.exited ? "made" : names.joined(separator: " "))
    }
    #expect(outcomes.contains("made"))
    #expect(outcomes.contains("v v-journal"), "\(outcomes)")
    #expect(outcomes.contains("v v-shm v-wal"), "\(outcomes)")
  }

  @Test("A batch on a full disk fails whole, keeps what was there, and the vault works on")
  func fullDiskInBatch() throws {
    for limit in [0, 40_000, 300_000, 2_000_000] {
      let folder = try TemporaryFolder()
      let path = folder.file("v")
      try makeVault(path, key: .ofTests)
      let child = try ChildProcess.run("vault-fill", path, "\(limit)")
      #expect(
        ["diskFull then 101\n", "inputOutput then 101\n"].contains(child.output),
        "\(limit): \(child.output) \(child.errors)")
      let vault = try Vault(at: path, key: .ofTests)
      let store = try vault.store(of: MarkedObject.self)
      #expect(try store.count() == 101)
      #expect(try store.find("after id 0") != nil)
    }
  }

  @Test("Processes that make the same vault at once all end up with the one")
  func race() throws {
    for _ in 0..<8 {
      let folder = try TemporaryFolder()
      let path = folder.file("v")
      let outputs = Outputs()
      DispatchQueue.concurrentPerform(iterations: 3) { number in
        let child = try? ChildProcess.run("vault-join", path, "child \(number)")
        outputs.add(child.map { $0.output + $0.errors } ?? "not run")
      }
      #expect(outputs.all == Array(repeating: "inserted\n", count: 3))
      let vault = try Vault(at: path, key: .ofTests)
      #expect(try vault.store(of: MarkedObject.self).count() == 3)
    }
  }

  private final class Outputs: @unchecked Sendable {
    private let lock = NSLock()
    private var outputs: [String] = []
    func add(_ output: String) { lock.withLock { outputs.append(output) } }
    var all: [String] { lock.withLock { outputs } }
  }

  private func expectNoPlaintext(in folder: TemporaryFolder) throws {
    for (name, content) in try contents(of: folder) {
      #expect(!content.starts(with: "SQLite format 3".utf8), "\(name)")
      #expect(content.range(of: Data("objectvault_info".utf8)) == nil, "\(name)")
    }
  }

  private func expectUsable(_ path: String) throws {
    let vault = try Vault(at: path, key: .ofTests)
    let store = try vault.store(of: MarkedObject.self)
    try store.insert(MarkedObject("first", number: 1))
    #expect(try store.count() == 1)
    #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    #expect(try refusal(path, .raw(Array(repeating: 1, count: 32))) == .wrongKey)
  }
}
