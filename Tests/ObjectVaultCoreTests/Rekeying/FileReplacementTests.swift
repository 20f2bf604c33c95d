import Foundation
import ObjectVaultCore
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
