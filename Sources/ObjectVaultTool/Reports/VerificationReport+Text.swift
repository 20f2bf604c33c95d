import ObjectVaultConformance
import ObjectVaultCore

extension VerificationReport {
  /// The report for people: a line for the file, one for each finding, and the verdict.
  var text: String {
    var text = "\(name): \(encryption), \(counted(pageCount, "page")) of \(pageSize) bytes"
    text += isSealed ? ", all sealed\n" : ", which carry no seals\n"
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
    cipher.map { "cipher format \($0.format)" } ?? "in clear"
  }

  /// The observations that are not problems.
  private var facts: [String] {
    var lines: [String] = []
    if case .writeAheadLog(let pages) = log {
      lines.append(
        "\(counted(pages, "page")) in the write-ahead log beside it, read in place of the file's own"
      )
    }
    if let uncheckedReason {
      lines.append("structure not checked: \(PrintableText.escaped(uncheckedReason))")
    }
    if case .rollbackJournal(let pages) = log {
      lines.append(
        "\(counted(pages, "page")) in the rollback journal of a program that was killed, read in place "
          + "of the file's own; to check the structure too, open the file for writing once")
    }
    if keyring == .matches { lines.append("the keyring beside it is its own") }
    if let commitCounter, !isOlderCopy {
      lines.append("commits counted: \(commitCounter)")
    }
    lines += leftovers.map {
      "\(PrintableText.escaped($0)): left by unfinished work; the next program that opens the vault removes it"
    }
    return lines
  }

  /// The problems.
  private var findings: [String] {
    var lines = PageRange.folded(badPages) {
      $0.defect == $1.defect && $0.owner == $1.owner && $0.isInLog == $1.isInLog
    }.map { pages in
      let (place, page) = (pages.first.isInLog ? " in the log" : "", pages.first)
      return "\(pages.title)\(place): \(page.defect.text(of: pages)); "
        + "\(pages.isOne ? "it holds" : "they hold") "
        + PrintableText.escaped(page.owner.description)
    }
    if bytesAfterEnd > 0 {
      lines.append("\(counted(bytesAfterEnd, "byte")) after the last page, which nobody reads")
    }
    lines += structureProblems.map { "structure: \(PrintableText.escaped($0))" }
    lines += brokenReferences.map {
      "'\(PrintableText.escaped($0))' refers to objects that are not there"
    }
    lines += unsoundSearches.map {
      "the index of words of '\(PrintableText.escaped($0))' is not that of its texts: make it anew "
        + "with 'objectvault reindex'"
    }
    lines += sharedBlobProblems.map { "shared blobs: \(PrintableText.escaped($0))" }
    switch keyring {
    case .none, .matches: break
    case .ofAnotherVault: lines.append("the keyring has its key and names another vault")
    case .leftOver:
      lines.append("a keyring stands beside it that it was opened without: is it another vault's?")
    case .unfinishedRotation:
      lines.append(
        "a change of its data key is unfinished: it is still encrypted under the old one, which older "
          + "keyrings and removed keys open. Run it again ('keys rotate')")
    case .neverFinished:
      lines.append(
        "a keyring is beside it that was made for a file which was never finished: 'doctor --clean' "
          + "removes it")
    }
    if isOlderCopy {
      lines.append(
        "an older copy: \(commitCounter.map { "\(counted($0, "commit")) counted" } ?? "no commits counted"), "
          + "\(expectedCounter ?? 0) expected")
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

  fileprivate func text(of pages: PageRange) -> String {
    switch self {
    case .broken: pages.isOne ? "does not authenticate" : "do not authenticate"
    case .missing:
      pages.isOne
        ? "is missing, for the file ends before it" : "are missing, for the file ends before them"
    case .misplaced:
      pages.isOne ? "is no page of what leads to it" : "are no pages of what leads to them"
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
    case .leftOver: "leftOver"
    case .unfinishedRotation: "unfinishedRotation"
    case .neverFinished: "neverFinished"
    }
  }
}
