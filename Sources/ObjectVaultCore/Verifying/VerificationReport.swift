/// What the check of a whole file found.
public struct VerificationReport: Sendable, Hashable {
  /// A log or journal beside the file.
  public enum Log: Sendable, Hashable {
    /// A write-ahead log whose pages readers see instead of the file's own; how many of the file's
    /// pages it holds. They were checked in its place.
    case writeAheadLog(pages: Int)
    /// A rollback journal of a program that was killed. The pages were checked as they are when the
    /// next program that opens the file for writing has taken back what was never committed.
    case rollbackJournal(pages: Int)
  }

  /// Whether the keyring beside the file is the file's.
  public enum Keyring: Sendable, Hashable {
    /// There is none, and none is needed.
    case none
    /// It holds the key that the file is encrypted with.
    case matches
    /// It has the key, and another vault's identifier than the one in the file.
    case ofAnotherVault
    /// One stands there although the file was opened without it.
    case leftOver
    /// It has the key, and that of a rotation that was interrupted: the file is still encrypted under the
    /// old data key. Run the rotation again.
    case unfinishedRotation
    /// One that was made for a file which was never finished. Nothing needs it.
    case neverFinished
  }

  /// A page that is not as the holder of the key wrote it.
  public struct BadPage: Sendable, Hashable {
    /// What is wrong with it.
    public enum Defect: Sendable, Hashable {
      /// Its seal does not fit.
      case broken
      /// The file ends before it.
      case missing
      /// It is sealed, or was never written, but is no page of what leads to it.
      case misplaced
      /// Page 1 is sound but for the salt in its first 16 bytes, which is not the one that the file
      /// was made with.
      case salt
    }

    /// The number of the page, from 1.
    public var number: Int
    /// What is wrong with it.
    public var defect: Defect
    /// What it belongs to.
    public var owner: PageOwner
    /// Whether it stands in the log beside the file.
    public var isInLog: Bool
  }

  /// The path of the file.
  public var path: String
  /// How the file is encrypted; `nil` for one in clear.
  public var cipher: CipherFacts?
  /// The size of a page in bytes.
  public var pageSize: Int
  /// How many pages the database has.
  public var pageCount: Int
  /// Whether pages carry a seal that tells whether they are as they were written. Those of cipher
  /// format 1 and of files in clear do not.
  public var isSealed: Bool
  /// The log or journal beside the file, if one with content is there.
  public var log: Log?
  /// Every page that is not as it must be, in order. A page put back to an older version of itself
  /// is not found; see ``commitCounter``.
  public var badPages: [BadPage] = []
  /// How many bytes stand after the last page. The engine never looks at them, and writes over them.
  public var bytesAfterEnd = 0
  /// What is wrong with tables and indexes, in the engine's words; or why the engine cannot read the
  /// file.
  public var structureProblems: [String] = []
  /// Why structure, references and full-text indexes were not checked, although nothing is wrong with
  /// the file: this engine does not read its cipher format, say. `nil` if they were.
  public var uncheckedReason: String?
  /// The classes or tables with references to objects that are not there.
  public var brokenReferences: [String] = []
  /// The classes whose index of words is missing, or has other words than their texts:
  /// ``ObjectStore/rebuildSearch()-()`` mends it. Those of a module that the engine lacks are not checked.
  public var unsoundSearches: [String] = []
  /// What is wrong with the contents that objects share, and with the counts of their uses, which
  /// ``Vault/recountSharedBlobs()`` mends.
  public var sharedBlobProblems: [String] = []
  /// Whether the keyring is the file's.
  public var keyring = Keyring.none
  /// Files beside this one that an unfinished work left, which may be removed.
  public var leftovers: [String] = []
  /// How many transactions were committed since `freshness()` was called first; `nil` where it never
  /// was.
  public var commitCounter: Int?
  /// The count that the caller expected at least.
  public var expectedCounter: Int?

  /// Whether the file is an older copy of itself: fewer transactions were committed than the caller
  /// knows of.
  public var isOlderCopy: Bool {
    guard let expectedCounter else { return false }
    return (commitCounter ?? -1) < expectedCounter
  }

  /// What the check comes to.
  public enum Verdict: Sendable, Hashable {
    /// All was checked, and nothing is wrong.
    case sound
    /// Nothing is wrong with what was checked: every page, and not the structure. See
    /// ``VerificationReport/uncheckedReason``.
    case soundPages
    /// Something is wrong.
    case unsound
  }

  /// What the check comes to. What is left beside the file does not count.
  public var verdict: Verdict {
    let hasNoFinding =
      badPages.isEmpty && bytesAfterEnd == 0 && structureProblems.isEmpty
      && brokenReferences.isEmpty && unsoundSearches.isEmpty
      && sharedBlobProblems.isEmpty && !isOlderCopy
      && (keyring == .none || keyring == .matches)
    guard hasNoFinding else { return .unsound }
    return uncheckedReason == nil ? .sound : .soundPages
  }

  /// Whether all was checked and nothing is wrong with the file.
  public var isSound: Bool { verdict == .sound }
}
