import Foundation
import ObjectVaultCore
import ObjectVaultFile
import Testing
import TestSupport

@testable import ObjectVaultMaintenance

/// The way to move a copy to its path if the system cannot do that in one call.
@Suite("Moving a copy by a second name") struct FileReplacementTests {
  private let folder: TemporaryFolder
  private let copy: String
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    copy = folder.file("copy")
    path = folder.file("new")
    try Data("copy".utf8).write(to: URL(fileURLWithPath: copy))
  }

  @Test("leaves only the new name")
  func free() throws {
    #expect(FileReplacement.linkToFree(copy, path) == 0)
    #expect(try contents(of: folder) == ["new": Data("copy".utf8)])
  }

  @Test("leaves both files if one exists at the path")
  func taken() throws {
    try Data("other".utf8).write(to: URL(fileURLWithPath: path))
    let status = FileReplacement.linkToFree(copy, path)
    let reason = errno
    #expect(status == -1 && reason == EEXIST)
    #expect(
      try contents(of: folder) == ["copy": Data("copy".utf8), "new": Data("other".utf8)])
  }
}

@Suite("A restore in the place of something else") struct ReplacedNodeTests {
  @Test("is rejected unless that is a regular file, which stays")
  func pipe() throws {
    let folder = try TemporaryFolder()
    try FileOperation.compact.makeFile(at: folder.file("backup"))
    let pipe = folder.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let error = thrown {
      try DatabaseFile(at: folder.file("backup"), key: .ofTests).restore(to: pipe, replacing: true)
    }
    #expect(error?.code == .cannotOpen)
    #expect(error?.message.contains("is not a regular file") == true)
    var status = stat()
    let result = lstat(pipe, &status)
    #expect(result == 0)
    #expect(status.st_mode & S_IFMT == S_IFIFO)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["backup", "pipe"])
  }
}

/// The log of a file that a restore replaces.
@Suite("A log that was moved away") struct LogsAsideTests {
  private let folder: TemporaryFolder
  private let path: String
  private let log: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("v")
    log = path + "-wal"
    try FileOperation.compact.makeFile(at: path)
    try Data("log".utf8).write(to: URL(fileURLWithPath: log))
    try LogsAside(of: path).moveAway()
    try #require(!FileManager.default.fileExists(atPath: log))
  }

  @Test("is moved back before the next opening, once nobody has the file open")
  func restored() throws {
    let holder = try HoldingChild("file-hold", FileOperation.compact.rawValue, path, "locked")
    #expect(thrown { try LogsAside.restore(of: path) }?.code == .busy)
    _ = try holder.end()
    try LogsAside.restore(of: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == Data("log".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
  }

  @Test("stays away if the file was changed or has another log")
  func changed() throws {
    try Data("later log".utf8).write(to: URL(fileURLWithPath: log))
    try LogsAside.restore(of: path)
    #expect(try Data(contentsOf: URL(fileURLWithPath: log)) == Data("later log".utf8))
    unlink(log)
    let other = timeval(tv_sec: 1, tv_usec: 0)
    try #require(utimes(path, [other, other]) == 0)
    try LogsAside.restore(of: path)
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test("is removed with the replaced file")
  func removed() throws {
    try FileManager.default.moveItem(atPath: path, toPath: folder.file(".v.copying"))
    try FileOperation.compact.makeFile(at: path)
    try DatabaseFile(at: path, key: .ofTests).compact()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["v"])
  }
}
