import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultModel
import Testing
import TestSupport

@Suite("A search of parts of words")
struct GramSearchTests {
  private static let kinds = SearchKind.all.filter { $0.tokenizer == .trigram }

  private func filled(_ kind: SearchKind, _ texts: [String]) throws -> ChangingVault {
    let vault = try ChangingVault()
    for (number, text) in texts.enumerated() {
      try vault.insert(
        .pages(kind.of(["title"])), [.text(text), .null, .integer(Int64(number))])
    }
    return vault
  }

  private func numbers(
    _ vault: ChangingVault, _ kind: SearchKind, _ text: String
  ) throws -> [Int] {
    let store = try vault.vault.store(of: .pages(kind.of(["title"])))
    return try store.search(text).sorted(by: "number").values(of: "number", as: Int.self)
  }

  @Test(
    "Finds any part of a word, of any length, in any language", .covers("S74"), arguments: kinds)
  func parts(_ kind: SearchKind) throws {
    let vault = try filled(
      kind,
      [
        "Unbelievable Airplanes", "東京都に住む", "서울특별시 강남구", "ÉTÉ à la Plage", "E\u{301}te\u{301}",
        "old, man", "bold - manor", "x", "a x b", "yx xz", "x\u{0}x", "Straße",
      ])
    for (text, found) in [
      ("plane", [0]), ("BELIEV", [0]), ("ane*", [0]), ("le air", [0]), ("\"le air\"", [0]),
      ("\"e ai\"", [0]), ("\"le ir\"", []), ("京", [1]), ("京都", [1]), ("東京都に", [1]), ("都京", []),
      ("특별", [2]), ("별시", [2]), ("\"시 강남\"", [2]), ("ete", [3, 4]), ("té", [3, 4]),
      ("É", [0, 3, 4, 11]),
      ("e\u{301}te\u{301}", [3, 4]), ("\"old man\"", [5, 6]), ("\"ld ma\"", [5, 6]),
      ("\"d m\"", [5, 6]),
      ("\"old manor\"", [6]), ("x", [7, 8, 9, 10]), ("\"x x\"", [9, 10]),
      ("\"x x\" OR manor", [6, 9, 10]),
      ("x NOT \"x x\"", [7, 8]), ("\"a x b\"", [8]), ("\"x x x\"", []), ("STRASSE", []),
      ("RAßE", [11]),
    ] as [(String, [Int])] {
      #expect(try numbers(vault, kind, text) == found, "\(text)")
    }
    #expect(try vault.vault.verify().isSound)
  }

  @Test("Finds exactly the texts that contain a part", .covers("S74"), arguments: kinds)
  func exact(_ kind: SearchKind) throws {
    var generator = SeededGenerator(seed: 61)
    let parts = ["a", "b", "c", "é", "É", "e\u{301}", "京", "都", " ", ", ", "-", "\u{0}", "\u{327}"]
    func text(_ lengths: ClosedRange<Int>) -> String {
      (0..<Int.random(in: lengths, using: &generator)).map { _ in
        parts.randomElement(using: &generator) ?? ""
      }.joined()
    }
    let texts = (0..<150).map { _ in text(0...24) }
    let vault = try filled(kind, texts)
    let folded = texts.map(FoldedText.init)
    var hits = 0
    for _ in 0..<400 {
      let searched = text(1...6).replacingNULs
      guard let term = SearchTerm(searched, isPrefix: false) else { continue }
      let part = FoldedText(term.trimmedText)
      let expected = folded.indices.filter { !folded[$0].ranges(of: part).isEmpty }
      hits += expected.count
      let found = try numbers(vault, kind, "\"\(searched)\"")
      #expect(found == expected, "\(searched.debugDescription)")
    }
    #expect(hits > 500, "\(hits)")
  }

  @Test("Shows snippets of texts with marks of any length", .covers("S74"), arguments: kinds)
  func marks(_ kind: SearchKind) throws {
    for (text, searched, words) in [
      ("abcdef\u{20E3}", "abcdef", 1),
      ("abc" + String(repeating: "\u{301}", count: 93) + "\u{20E3}", "abc", 16),
    ] {
      let vault = try filled(kind, [text])
      let store = try vault.vault.store(of: .pages(kind.of(["title"])))
      let form = SnippetForm(start: "", end: "", ellipsis: "", words: words)
      let snippets = try store.search(searched).matches(snippet: form).map(\.snippet)
      #expect(snippets.count == 1 && text.unicodeScalars.starts(with: snippets[0].unicodeScalars))
      #expect(snippets.first?.unicodeScalars.starts(with: searched.unicodeScalars) == true)
    }
  }

  @Test("Divides long texts as short ones", .covers("S74"), arguments: kinds)
  func long(_ kind: SearchKind) throws {
    let word = (0..<1500).map { "w\($0)x" }.joined()
    let vault = try filled(kind, [word, String(repeating: "é ", count: 4095) + "needle", "w\u{0}"])
    for number in stride(from: 0, to: 1499, by: 41) {
      #expect(try numbers(vault, kind, "w\(number)xw\(number + 1)x") == [0])
    }
    for start in [254, 255, 256, 257, 4093, 4094, 4095, 4096, 4097] {
      let part = String(word.dropFirst(start).prefix(9))
      #expect(try numbers(vault, kind, part) == [0], "\(start)")
    }
    #expect(try numbers(vault, kind, "\"e needle\"") == [1])
    #expect(try numbers(vault, kind, String(word.prefix(4096))) == [0])
    #expect(try numbers(vault, kind, String(word.prefix(4095)) + "y") == [])
  }

  @Test("Ranks matches and marks them in the stored text", .covers("S75"), arguments: kinds)
  func snippets(_ kind: SearchKind) throws {
    let filling = String(repeating: "nothing here ", count: 30)
    let vault = try filled(
      kind,
      [
        "An airplane", "airplane, AIRPLANE, airplanes", filling + "the old airplane " + filling,
        "東京都は日本の首都です。", "nothing", "nor here", "nor there", "more", "most",
      ])
    let store = try vault.vault.store(of: .pages(kind.of(["title"])))
    func found(_ text: String, _ form: SnippetForm? = SnippetForm()) throws -> [String] {
      try store.search(text).matches(snippet: form).map(\.snippet)
    }
    let planes = try found("plane")
    #expect(planes.count == 3)
    #expect(planes.first == "air[plane], AIR[PLANE], air[plane]s")
    #expect(planes.contains("An air[plane]"))
    let long = try #require(planes.last)
    #expect(long.contains("the old air[plane] nothing"), "\(long)")
    #expect(long.hasPrefix("…") && long.hasSuffix("…") && long.count < 16 * 6 + 5)
    #expect(try found("首都") == ["東京都は日本の[首都]です。"])
    #expect(
      try found("首都", .init(start: "<b>", end: "</b>", ellipsis: "...", words: 1))
        == ["...本の<b>首都</b>です..."])
    #expect(try found("京 日本 NOT x") == ["東[京]都は[日本]の首都です。"])
    #expect(try found("\"here the\"").first?.contains("[here the] old") == true)
    #expect(try found("plane", nil) == ["", "", ""])
    let scores = try store.search("plane").matches().map(\.score)
    #expect(scores == scores.sorted(by: >) && scores.allSatisfy { $0 > 0 })
  }

  @Test("A snippet is of the property with most of the terms")
  func property() throws {
    let vault = try ChangingVault()
    let search = SearchDescription(["title", "body"], tokenizer: .trigram)
    try vault.insert(
      .pages(search), [.text("An airplane"), .text("old airplanes and ships"), .integer(1)])
    let store = try vault.vault.store(of: .pages(search))
    func snippet(_ text: String, in property: String? = nil) throws -> String? {
      try store.search(text, in: property).matches().first?.snippet
    }
    #expect(try snippet("plane") == "An air[plane]")
    #expect(try snippet("plane ship") == "old air[plane]s and [ship]s")
    #expect(try snippet("plane", in: "body") == "old air[plane]s and ships")
    #expect(try snippet("plane", in: "title") == "An air[plane]")
    #expect(try store.search("ship", in: "title").count() == 0)
  }

  @Test("Another tokenizer rebuilds the index", .covers("S76"), arguments: kinds)
  func upgraded(_ kind: SearchKind) throws {
    let words = SearchKind(module: kind.module, tokenizer: .words)
    let vault = try filled(words, ["Airplanes"])
    #expect(try numbers(vault, words, "plane") == [])
    #expect(try numbers(vault, kind, "plane") == [0])
    #expect(
      try vault.vault.classes().first?.search?.tokenizer == .trigram && vault.vault.verify().isSound
    )
    #expect(try numbers(vault, words, "plane") == [] && numbers(vault, words, "airplanes") == [0])
    #expect(
      try vault.rows("SELECT count(*) FROM sqlite_master WHERE type = 'view'") == [[.integer(0)]])
  }

  @Test("Every copy of a file has the index", .covers("S76"), arguments: kinds)
  func copies(_ kind: SearchKind) throws {
    let folder = try TemporaryFolder()
    let (path, key, newKey) = (folder.file("a.vault"), VaultKey.raw(1...32), VaultKey.raw(2...33))
    let vault = try Vault(at: path, key: key)
    let description = ClassDescription.pages(kind.of(["title"]))
    var page = try DynamicObject(of: description)
    try page.set("title", to: .text("Airplanes"))
    try page.set("number", to: .integer(1))
    try vault.store(of: description).insert(page)
    vault.close()
    let (backup, plain) = (folder.file("backup"), folder.file("plain"))
    let (encrypted, salvaged) = (folder.file("encrypted"), folder.file("salvaged"))
    try DatabaseFile(at: path, key: key).rekey(to: newKey)
    try DatabaseFile(at: path, key: newKey).compact()
    try DatabaseFile(at: path, key: newKey).backup(to: backup)
    try DatabaseFile(at: path, key: newKey).decrypt(to: plain)
    try DatabaseFile(at: plain, key: nil).encrypt(with: newKey, to: encrypted)
    _ = try DatabaseFile(at: path, key: newKey).salvage(to: salvaged)
    for path in [path, backup, encrypted, salvaged] {
      let vault = try Vault(at: path, key: newKey)
      defer { vault.close() }
      let store = try vault.store(named: "Page")
      #expect(try store.search("plane").count() == 1 && store.isSearchSound(), "\(path)")
      #expect(try vault.sizeReport().entries.contains { $0.part == .searchIndex(of: "Page") })
      try store.removeAll()
      #expect(try store.search("plane").count() == 0 && vault.verify().isSound, "\(path)")
    }
  }

  @Test("The stock shell changes, searches and checks the index", .covers("S76"))
  func stockShell() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.vault")
    let search = SearchDescription(["title"], tokenizer: .trigram)
    let vault = try Vault(at: path, key: .ofTests)
    var page = try DynamicObject(of: .pages(search))
    try page.set("title", to: .text("Airplanes"))
    try page.set("number", to: .integer(1))
    try vault.store(of: .pages(search)).insert(page)
    vault.close()
    let lines = try CipherShell.lines(
      path, CipherShell.keyOfTests,
      [
        "INSERT INTO Page (title, number) VALUES ('A nautilus', 6);",
        "UPDATE Page SET title = 'A dolphin' WHERE number = 1;",
        "SELECT rowid FROM objectvault_Page_search WHERE objectvault_Page_search MATCH '\"til ilu\"';",
        "VACUUM;", "PRAGMA integrity_check;",
      ])
    #expect(lines == ["2", "ok"])
    let again = try Vault(at: path, key: .ofTests)
    let store = try again.store(of: .pages(search))
    #expect(try store.search("plane").count() == 0 && store.search("lphi").count() == 1)
    #expect(try store.isSearchSound())
  }
}

extension String {
  /// The text without the character that is a separator in a search and in a text.
  fileprivate var replacingNULs: String { String(map { $0 == "\0" ? " " : $0 }) }
}
