public import ObjectVaultFile

/// The result of verifying a whole file.
///
/// ```swift
/// let report = try vault.verify()
/// if !report.isSound { print(report.badPages, report.structureProblems) }
/// ```
public struct VerificationReport: Sendable, Hashable {
  /// A log or journal next to the file.
  public enum Log: Sendable, Hashable {
    /// A write-ahead log, with the number of the file's pages that it contains.
    ///
    /// Readers use these pages instead of the file's own, so they were checked in place of the
    /// file's own.
    case writeAheadLog(pages: Int)
    /// A rollback journal of a terminated program.
    ///
    /// The pages were checked in the state that they will have after the next writing program has
    /// rolled back the uncommitted transaction.
    case rollbackJournal(pages: Int)
  }

  /// The relation between the keyring next to the file and the file.
  public enum Keyring: Sendable, Hashable {
    /// There is no keyring, and none is needed.
    case none
    /// The keyring holds the key of the file.
    case matches
    /// The keyring has no key of the file, or records another vault identifier than the file.
    ///
    /// Restore a keyring and a file that belong together.
    case ofAnotherVault
    /// The keyring is older than the vault accepts.
    ///
    /// A slot was removed or changed since, so opening the vault throws `.keyringRolledBack`. Put
    /// the latest keyring back.
    case rolledBack
    /// The keyring is missing or damaged, and at most its spare copy holds the key.
    ///
    /// Copy `VAULT.keyring~` to `VAULT.keyring`, or change a slot, which writes both again. Restore
    /// the keyring from a backup if the spare copy is missing, too.
    case damaged
    /// A keyring exists, although the file was opened without it.
    case leftOver
    /// The keyring holds the key, and the key of an interrupted rotation.
    ///
    /// The file is still encrypted with the old data key. Run the rotation again.
    case unfinishedRotation
    /// The keyring was created for a file that was never finished.
    ///
    /// It is not needed.
    case neverFinished
  }

  /// A page that differs from the one that the holder of the key wrote.
  public struct BadPage: Sendable, Hashable {
    /// The defect of a page.
    public enum Defect: Sendable, Hashable {
      /// The page does not authenticate.
      case broken
      /// The file ends before the page.
      case missing
      /// The page authenticates or was never written, but does not belong to the structure that
      /// refers to it.
      case misplaced
      /// Page 1 is sound except for the salt in its first 16 bytes, which is not the original one.
      case salt
    }

    /// The number of the page, from 1.
    public var number: Int
    /// The defect of the page.
    public var defect: Defect
    /// The owner of the page.
    public var owner: PageOwner
    /// Whether the page is in the log next to the file.
    public var isInLog: Bool
  }

  /// The path of the file.
  public var path: String
  /// The encryption of the file, or `nil` for an unencrypted file.
  public var cipher: CipherInfo?
  /// The size of a page in bytes.
  public var pageSize: Int
  /// The number of pages of the database.
  public var pageCount: Int
  /// Whether pages carry authentication codes that reveal changes.
  ///
  /// The pages of cipher format 1 and of unencrypted files do not.
  public var isSealed: Bool
  /// The log or journal next to the file, if one with contents exists.
  public var log: Log?
  /// The damaged pages, in order.
  ///
  /// A page that was replaced by an older version of itself is not detected; see ``commitCounter``.
  public var badPages: [BadPage] = []
  /// The number of bytes after the last page.
  ///
  /// The engine never reads them, and overwrites them.
  public var bytesAfterEnd = 0
  /// The problems of tables and indexes in the engine's words, or the reason that the engine cannot
  /// read the file.
  public var structureProblems: [String] = []
  /// The reason that structure, references and full-text indexes were not checked, or `nil` if they
  /// were.
  ///
  /// The file itself has no known problem then. For example, this engine may not support its cipher
  /// format.
  public var uncheckedReason: String?
  /// The classes or tables with references to missing objects.
  public var brokenReferences: [String] = []
  /// The classes whose full-text index is missing or does not match their texts.
  ///
  /// ``ObjectStore/rebuildSearch()-()`` fixes it. Indexes of a module that the engine lacks are not
  /// checked.
  public var unsoundSearches: [String] = []
  /// The problems of shared blobs and of their reference counts.
  ///
  /// ``Vault/recountSharedBlobs()`` fixes the counts.
  public var sharedBlobProblems: [String] = []
  /// The sealed properties with values that are not sealed, because another program stored them, and
  /// the number of those values.
  ///
  /// Removing the objects, or setting the values again through a store, fixes it.
  public var unsealedValues: [String] = []
  /// The classes that should record their changes and lack the triggers for it.
  ///
  /// Requesting the class's store for writing creates the triggers again.
  public var incompleteHistories: [String] = []
  /// The classes of objects in ordered owned properties that lack the column or the trigger for it.
  ///
  /// Requesting the store of their owners for writing creates both again.
  public var incompleteOrders: [String] = []
  /// The relation between the keyring and the file.
  public var keyring = Keyring.none
  /// The files that an unfinished operation left next to this one.
  ///
  /// A copy, `.NAME.copying`, may be removed. A log or journal, `.NAME.copying.ID-wal` or
  /// `.NAME.copying.ID-journal`, must not: it has the latest changes of the file, which are missing
  /// until the next opening for writing moves it back.
  public var leftovers: [String] = []
  /// The number of transactions committed since `commitCount()` was first called, or `nil` if it was
  /// never called.
  public var commitCounter: Int?
  /// The minimum number of commits that the caller expected.
  public var expectedCounter: Int?

  /// Whether the file is an older copy of itself, with fewer commits than the caller knows of.
  public var isOlderCopy: Bool {
    guard let expectedCounter else { return false }
    return (commitCounter ?? -1) < expectedCounter
  }

  /// The overall result of a verification.
  public enum Verdict: Sendable, Hashable {
    /// Everything was checked and no problem was found.
    case sound
    /// Every page was checked and no problem was found, but the structure was not checked.
    ///
    /// The reason is in ``VerificationReport/uncheckedReason``.
    case soundPages
    /// A problem was found.
    case unsound
  }

  /// The overall result.
  ///
  /// Leftover files next to the file are ignored.
  public var verdict: Verdict {
    let hasNoFinding =
      badPages.isEmpty && bytesAfterEnd == 0 && structureProblems.isEmpty
      && brokenReferences.isEmpty && unsoundSearches.isEmpty
      && sharedBlobProblems.isEmpty && unsealedValues.isEmpty
      && incompleteHistories.isEmpty && incompleteOrders.isEmpty
      && !isOlderCopy
      && (keyring == .none || keyring == .matches)
    guard hasNoFinding else { return .unsound }
    return uncheckedReason == nil ? .sound : .soundPages
  }

  /// Whether everything was checked and no problem was found.
  public var isSound: Bool { verdict == .sound }
}
