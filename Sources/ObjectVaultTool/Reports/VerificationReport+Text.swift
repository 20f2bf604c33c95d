import ObjectVaultTerminal
import ObjectVaultCore

extension VerificationReport {
  /// The report for people: a line for the file, one for each finding, and the verdict.
  var text: String {
    var text = "\(name): \(encryption), \(counted(pageCount, "page")) of \(pageSize) bytes"
    text += isSealed ? ", with authentication codes\n" : ", without authentication codes\n"
    for line in facts { text += "  \(line)\n" }
    for line in findings { text += "! \(line)\n" }
    return text + verdictText
  }

  private var verdictText: String {
    switch verdict {
    case .sound: "\(name) is sound.\n"
    case .soundPages: "\(name): pages sound, structure not checked.\n"
    case .unsound: "\(name) is not sound.\n"
    }
  }

  private var name: String { PrintableText.escaped(path) }

  private var encryption: String {
    cipher.map {
      "cipher format \($0.format)\($0.header == .plaintext ? ", plaintext header" : "")"
    }
      ?? "not encrypted"
  }

  /// The observations that are not problems.
  private var facts: [String] {
    var lines: [String] = []
    if case .writeAheadLog(let pages) = log {
      lines.append(
        "\(counted(pages, "page")) in the write-ahead log, read instead of those in the file"
      )
    }
    if let uncheckedReason {
      lines.append("structure not checked: \(PrintableText.escaped(uncheckedReason))")
    }
    if case .rollbackJournal(let pages) = log {
      lines.append(
        "\(counted(pages, "page")) in the rollback journal of a killed program, read instead of "
          + "those in the file; to check the structure too, open the file for writing once")
    }
    if keyring == .matches { lines.append("the keyring matches") }
    if let commitCounter, !isOlderCopy {
      lines.append("commits counted: \(commitCounter)")
    }
    lines += leftovers.map {
      let name = PrintableText.escaped($0)
      return $0.hasSuffix(".copying")
        ? "\(name): left by unfinished work; the next opening for writing removes it if it may"
        : "\(name): the log of the file, moved away by an interrupted restore; its changes are "
          + "missing until the vault is opened for writing"
    }
    return lines
  }

  /// The problems.
  private var findings: [String] {
    var lines = PageGroup.grouped(badPages) {
      $0.defect == $1.defect && $0.owner == $1.owner && $0.isInLog == $1.isInLog
    }.map { pages in
      let (place, page) = (pages.first.isInLog ? " in the log" : "", pages.first)
      return "\(pages.title)\(place): \(page.defect.text(of: pages)); "
        + "\(pages.isOne ? "it holds" : "they hold") "
        + PrintableText.escaped(page.owner.description)
    }
    if bytesAfterEnd > 0 {
      lines.append("\(counted(bytesAfterEnd, "byte")) after the last page, which are never read")
    }
    lines += structureProblems.map { "structure: \(PrintableText.escaped($0))" }
    lines += brokenReferences.map {
      "'\(PrintableText.escaped($0))' refers to objects that do not exist"
    }
    lines += unsoundSearches.map {
      "the full-text index of '\(PrintableText.escaped($0))' does not match its texts: rebuild it "
        + "with 'objectvault reindex'"
    }
    lines += sharedBlobProblems.map { "shared blobs: \(PrintableText.escaped($0))" }
    lines += unsealedValues.map { "not sealed: \(PrintableText.escaped($0))" }
    lines += incompleteHistories.map {
      "the changes of '\(PrintableText.escaped($0))' are not recorded completely: its triggers are "
        + "missing; open the class with its program to restore them"
    }
    lines += incompleteOrders.map {
      "the order of '\(PrintableText.escaped($0))' in the lists of its owners is not maintained: its "
        + "trigger is missing; open the class of the owners with its program to restore it"
    }
    switch keyring {
    case .none, .matches: break
    case .ofAnotherVault:
      lines.append(
        "the keyring has no key of the file, or names another vault: restore a keyring and a file "
          + "that belong together")
    case .rolledBack:
      lines.append(
        "the keyring is older than the vault accepts, because a slot was removed or changed since: "
          + "restore the latest keyring")
    case .damaged:
      lines.append(
        "the keyring is missing or damaged, and only its spare copy opens the file: copy the file "
          + "whose name ends in 'keyring~' to the name of the keyring")
    case .leftOver:
      lines.append(
        "a keyring is next to it, but it was opened without: check whether it is another vault's")
    case .unfinishedRotation:
      lines.append(
        "a change of its data key is unfinished: it is still encrypted with the old data key, "
          + "which older keyrings and removed keys open. Run 'keys rotate'")
    case .neverFinished:
      lines.append(
        "its keyring was created for a file that was never completed: rename it with 'doctor "
          + "--clean'")
    }
    if isOlderCopy {
      lines.append(
        "an older copy: "
          + (commitCounter.map { "\(counted($0, "commit")) counted" } ?? "no commits counted")
          + ", \(expectedCounter ?? 0) expected")
    }
    return lines
  }

  /// The report for programs.
  var json: JSONValue {
    .object([
      .init("file", .string(path)),
      .init(
        "cipher",
        cipher.map {
          .object([
            .init("format", .integer($0.format)), .init("pageSize", .integer($0.pageSize)),
            .init("header", .string($0.header.rawValue)),
          ])
        } ?? .null),
      .init("pages", .integer(pageCount)),
      .init("sealed", .bool(isSealed)),
      .init("badPages", .array(badPages.map(\.json))),
      .init("log", logJSON),
      .init("bytesAfterEnd", .integer(bytesAfterEnd)),
      .init("structure", .array(structureProblems.map(JSONValue.string))),
      .init("unchecked", uncheckedReason.map(JSONValue.string) ?? .null),
      .init("brokenReferences", .array(brokenReferences.map(JSONValue.string))),
      .init("unsoundSearches", .array(unsoundSearches.map(JSONValue.string))),
      .init("sharedBlobs", .array(sharedBlobProblems.map(JSONValue.string))),
      .init("unsealedValues", .array(unsealedValues.map(JSONValue.string))),
      .init("incompleteHistories", .array(incompleteHistories.map(JSONValue.string))),
      .init("incompleteOrders", .array(incompleteOrders.map(JSONValue.string))),
      .init("keyring", .string(keyring.word)),
      .init("leftovers", .array(leftovers.map(JSONValue.string))),
      .init("commitCounter", commitCounter.map { .integer($0) } ?? .null),
      .init("expectedCounter", expectedCounter.map { .integer($0) } ?? .null),
      .init("olderCopy", .bool(isOlderCopy)),
      .init("sound", .bool(isSound)),
      .init("verdict", .string(verdict.word)),
    ])
  }

  private var logJSON: JSONValue {
    switch log {
    case nil: .null
    case .writeAheadLog(let pages):
      .object([.init("kind", .string("writeAheadLog")), .init("pages", .integer(pages))])
    case .rollbackJournal(let pages):
      .object([.init("kind", .string("rollbackJournal")), .init("pages", .integer(pages))])
    }
  }
}

extension VerificationReport.BadPage {
  var json: JSONValue {
    .object([
      .init("page", .integer(number)), .init("defect", .string(defect.word)),
      .init("of", .string(owner.description)), .init("inLog", .bool(isInLog)),
    ])
  }
}

extension VerificationReport.BadPage.Defect {
  fileprivate var word: String {
    switch self {
    case .broken: "broken"
    case .missing: "missing"
    case .misplaced: "misplaced"
    case .salt: "salt"
    }
  }

  fileprivate func text(of pages: PageGroup) -> String {
    switch self {
    case .broken: pages.isOne ? "does not authenticate" : "do not authenticate"
    case .missing:
      pages.isOne
        ? "is missing: the file ends before it" : "are missing: the file ends before them"
    case .misplaced:
      pages.isOne
        ? "does not belong to the structure that refers to it"
        : "do not belong to the structure that refers to them"
    case .salt: "is sound, but the salt in its first 16 bytes is not the file's"
    }
  }
}

extension VerificationReport.Verdict {
  fileprivate var word: String {
    switch self {
    case .sound: "sound"
    case .soundPages: "soundPages"
    case .unsound: "unsound"
    }
  }
}

extension VerificationReport.Keyring {
  fileprivate var word: String {
    switch self {
    case .none: "none"
    case .matches: "matches"
    case .ofAnotherVault: "ofAnotherVault"
    case .rolledBack: "rolledBack"
    case .damaged: "damaged"
    case .leftOver: "leftOver"
    case .unfinishedRotation: "unfinishedRotation"
    case .neverFinished: "neverFinished"
    }
  }
}
