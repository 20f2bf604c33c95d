import ObjectVaultCore
import Testing
import TestSupport

import ObjectVaultStores

@Suite("The text of a search")
struct SearchTextTests {
  private func failure(_ text: String) -> VaultError? {
    do {
      _ = try SearchParser.parse(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "that makes no sense is an error with the place",
    arguments: [
      ("", 0, "term or phrase"), ("   ", 3, "term or phrase"), ("a OR", 4, "term or phrase"),
      ("OR a", 0, "lower case"), ("a AND OR b", 6, "lower case"), ("NOT a", 0, "before NOT"),
      ("a OR NOT b", 5, "before NOT"), ("a NOT NOT b", 6, "lower case"),
      ("(a", 0, "no matching ')'"),
      ("a)", 1, "no matching '('"), ("()", 1, "term or phrase"), ("\"a", 0, "closing quote"),
      ("é *", 3, "neither a letter"), ("a --", 2, "neither a letter"), ("\"\"", 0, "neither"),
      ("😀", 0, "neither"), ("a*b", 1, "end of a term"), ("a**", 1, "end of a term"),
      ("a AND", 5, "term or phrase"), ("a NOT", 5, "term or phrase"),
    ])
  func errors(_ text: String, _ offset: Int, _ message: String) throws {
    let error = try #require(failure(text))
    #expect(error.code == .invalidCondition)
    #expect(error.location?.offset == offset, "\(error)")
    #expect(error.message.contains(message), "\(error)")
  }

  @Test(
    "separates terms by every white space",
    arguments: [" ", "\t", "\u{85}", "\u{A0}", "\u{2009}", "\u{2028}", "\u{202F}", "\u{3000}"])
  func whiteSpace(_ space: String) throws {
    #expect(try SearchParser.parse("secret\(space)plan") == SearchParser.parse("secret plan"))
    #expect(
      try SearchParser.parse("\(space)東京\(space)OR\(space)京都*\(space)NOT\(space)x\(space)")
        == SearchParser.parse("東京 OR 京都* NOT x"))
    #expect(try SearchParser.parse("\"secret\(space)plan\"").terms.count == 1)
    #expect(failure("a\(space)OR")?.location?.offset == 3 + space.utf8.count)
    #expect(failure("a\(space)*")?.message.contains("neither a letter") == true)
  }

  @Test("finds objects with terms in any order after an ideographic space")
  func ideographicSpace() throws {
    let test = try TestVault()
    let pages = try test.vault.store(of: SeaPage.self)
    try pages.insert(contentsOf: SeaPage.samples)
    let expected = try pages.search("sea old").count()
    #expect(expected > 0)
    #expect(try pages.search("sea\u{3000}old").count() == expected)
    #expect(try pages.search("old\u{3000}sea").count() == expected)
  }

  @Test("has a limit of words, of depth and of length")
  func limits() throws {
    let many = (0..<41).map { "w\($0)" }
    #expect(failure(many.dropLast().joined(separator: " ")) == nil)
    #expect(failure(many.joined(separator: " "))?.message.contains("40") == true)
    #expect(failure(Array(repeating: "w", count: 1000).joined(separator: " ")) != nil)
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(failure(nested(50)) == nil)
    #expect(failure(nested(51))?.message.contains("nested") == true)
    #expect(failure(String(repeating: "x", count: 4096)) == nil)
    #expect(failure(String(repeating: "x", count: 4097)) != nil)
  }

  @Test("of any kind is an error of ours or a search that the engine understands")
  func anyText() throws {
    let test = try TestVault()
    let pages = try test.vault.store(of: SeaPage.self)
    try pages.insert(contentsOf: SeaPage.samples)
    let parts = [
      "sea", "old", " ", "\"", "*", "(", ")", "AND", "OR", "NOT", "NEAR", "NEAR/2", "-", "+", "^",
      ":", "title:", "'", "''", "\\", "{", "}", "é", "e\u{301}", "\u{0}", "😀", "日", "%@", ";",
    ]
    var generator = SeededGenerator(seed: 20)
    var searched = 0
    for _ in 0..<1500 {
      let text = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        parts[Int.random(in: 0..<parts.count, using: &generator)]
          + (Bool.random(using: &generator) ? " " : "")
      }.joined()
      do {
        let query = pages.search(text)
        try query.validate()
        searched += 1
        // What is found is ranked too, once each.
        #expect(try query.matches().count == query.count(), "\(text.debugDescription)")
      } catch let error as VaultError {
        #expect(error.code == .invalidCondition, "\(text.debugDescription): \(error)")
      }
    }
    #expect(searched > 100, "\(searched)")
  }
}
