import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultSession

/// The knowledge of a session about its encrypted file.
final class FileKnowledge {
  /// Whether the file counts commits.
  var counter = CommitCounter.Knowledge()
  /// The checkpoint schedule of the write-ahead log.
  var logLimit = LogLimit(limit: .max)
  /// The last state of the write-ahead log in which only this file had pages in it; `nil` if it is
  /// unknown.
  var ownLog: LogState?
}

extension Session {
  private static let fileKey = SessionKey { FileKnowledge() }

  /// The knowledge about the encrypted file.
  var file: FileKnowledge { self[Self.fileKey] }

  /// The receiver of the connection's hook calls.
  var hooked: HookedConnection? {
    // Sessions of this module have no other observer.
    observer.map { unsafeDowncast($0, to: HookedConnection.self) }
  }

  /// Attaches hooks to the connection and notifies them that it was opened.
  func tell(_ hooked: HookedConnection?) throws {
    guard let hooked else { return }
    observer = hooked
    mustAlwaysBeValidated = true
    try hooked.opened(self)
  }
}
