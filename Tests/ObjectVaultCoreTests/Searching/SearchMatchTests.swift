import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import Testing
import TestSupport

@testable import ObjectVaultFile

@Suite("The matches of a search")
struct SearchMatchTests {
  private let test: TestVault
  private let pages: ObjectStore<SeaPage>

  init() throws {
    test = try TestVault()
    pages = try test.vault.store(of: SeaPage.self)
  }

  @Test("come best first: rare words, many of them, in short texts")
  func ranking() throws {
    try pages.insert(contentsOf: [
      SeaPage("long", "sea " + String(repeating: "filling ", count: 60), number: 1),
      SeaPage("short", "sea", number: 2),
      SeaPage("twice", "sea and sea", number: 3),
      SeaPage("rare", "kraken", number: 4),
      SeaPage("other", "nothing of it", number: 5), SeaPage("other", "nor here", number: 6),
      SeaPage("other", "nor there", number: 7), SeaPage("other", "and so on", number: 8),
    ])
    let matches = try pages.search("sea OR kraken").matches()
    #expect(matches.map(\.object.number) == [4, 3, 2, 1])
    #expect(zip(matches, matches.dropFirst()).allSatisfy { $0.score > $1.score })
    #expect(matches.allSatisfy { $0.score > 0 })
    // The shorter texts come first; a range takes the best, and an order asked for wins.
    #expect(try pages.search("other").matches().map(\.object.number) == [6, 7, 5, 8])
    #expect(
      try pages.search("sea OR kraken").range(offset: 1, length: 2).matches()
        .map(\.object.number) == [3, 2])
    #expect(
      try pages.search("sea").sorted(by: "number").matches().map(\.object.number) == [1, 2, 3])
    #expect(
      try pages.search("sea OR kraken").where("number < 4 && title != 'twice'").matches()
        .map(\.object.number) == [2, 1])
    #expect(
      try pages.search("(sea OR kraken) NOT filling").matches().map(\.object.number) == [4, 3, 2])
  }

  @Test("of what is no answer of the engine's have the score 0, whatever it is")
  func hostileScores() throws {
    let vault = try ChangingVault()
    try vault.vault.open()
    let most = String(repeating: "FF", count: 4)
    let one = "01000000"
    for counts in [
      "x''", "NULL", "x'01'", "x'\(most)\(most)'", "x'\(one)\(most)'", "x'\(most)\(one)'",
      "x'\(one)\(one)'", "x'\(most)\(most)\(most)\(most)'", "'text'", "7", "-1.5",
    ] {
      for column in ["-1", "0", "9223372036854775807", "-9223372036854775808", "NULL", "'x'"] {
        let rows = try vault.rows("SELECT ov_bm25(\(counts), \(column))")
        #expect(rows == [[.real(0)]], "\(counts), \(column)")
      }
    }
    // One phrase, one column, no rows, and more of them with the phrase than there are.
    let few = "\(one)\(one)00000000\(one)\(one)\(one)\(one)\(most)"
    let score = try #require(try vault.rows("SELECT ov_bm25(x'\(few)', -1)").first?.first)
    #expect(score == .real(1e-6))
  }

  @Test("show where the words are")
  func snippets() throws {
    try pages.insert(contentsOf: [
      SeaPage(
        "Sea",
        String(repeating: "before ", count: 30) + "the old sea of storms "
          + String(repeating: "after ", count: 30), number: 1)
    ])
    func snippet(
      _ text: String, in property: String? = nil, _ form: SnippetForm? = SnippetForm()
    ) throws -> String? {
      try pages.search(text, in: property).matches(snippet: form).first?.snippet
    }
    let old = try #require(try snippet("old"))
    #expect(old.contains("the [old] sea") && old.hasPrefix("…before") && old.hasSuffix("after…"))
    let phrase = try #require(try snippet("\"old sea\"", in: "body"))
    #expect(phrase.contains("[old") && phrase.contains("sea]"), "\(phrase)")
    #expect(try snippet("sea", in: "title") == "[Sea]")
    #expect(
      try snippet("stor*", in: "body", .init(start: "<b>", end: "</b>", ellipsis: "...", words: 3))?
        .contains("<b>storms</b>") == true)
    #expect(try snippet("old", nil) == "")
    for words in [0, 65, -1] {
      #expect(code { _ = try snippet("old", .init(words: words)) } == .invalidArgument)
    }
  }

  @Test("bring the objects that belong to them")
  func owned() throws {
    #expect(try pages.search("x").matches().isEmpty)
    #expect(code { _ = try pages.query.matches() } == .invalidArgument)
  }

  @Test("have with FTS4 the scores that FTS5 gives, for one column")
  func likeFTS5() throws {
    guard try Engine.prove().hasFTS5 else { return }
    var scores: [[Double]] = []
    for module in SearchDescription.Module.allCases {
      let description = ClassDescription(
        "Line\(module)", properties: [.init("text", type: .string)],
        search: .init(["text"], module: module))
      let store = try test.vault.store(of: description)
      var generator = SeededGenerator(seed: 3)
      let words = ["sea", "old", "man", "fish", "whale", "storm", "ship", "sail", "wind", "star"]
      try store.insert(
        contentsOf: (0..<200).map { _ in
          var object = try DynamicObject(of: description)
          // Of one length, since FTS4 keeps the average as a whole number.
          let text = (0..<8).map { _ in words[Int.random(in: 0..<10, using: &generator)] }
          try object.set("text", to: .text(text.joined(separator: " ")))
          return object
        })
      for text in ["sea", "sea OR whale", "\"old man\"", "sea whale st*"] {
        scores.append(try store.search(text).matches(snippet: nil).map(\.score))
      }
    }
    let half = scores.count / 2
    for (own, theirs) in zip(scores.prefix(half), scores.suffix(half)) {
      #expect(own.count == theirs.count && !own.isEmpty)
      for (a, b) in zip(own, theirs) { #expect(abs(a - b) <= 1e-9 * max(abs(a), abs(b))) }
    }
  }

  @Test("have the scores of the formula")
  func formula() throws {
    // One phrase, one column: of 4 rows with 3 words on average this one has 2 hits in 3 words, and
    // one row has any.
    let counts: [UInt32] = [1, 1, 4, 3, 3, 2, 2, 1]
    let score = counts.withUnsafeBytes { SearchScore.score(.init($0), column: -1) }
    let expected = log((4 - 1 + 0.5) / (1 + 0.5)) * (2 * 2.2) / (2 + 1.2)
    #expect(abs(score - expected) < 1e-12)
    #expect(
      [UInt32](arrayLiteral: 9, 9, 1).withUnsafeBytes { SearchScore.score(.init($0), column: 0) }
        == 0)
    #expect([UInt8]().withUnsafeBytes { SearchScore.score(.init($0), column: 0) } == 0)
  }
}
