import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the guide "Searching for words", line by line as it stands there.
@Suite("The guide to searching") struct SearchingGuideTests {
  @Stored
  struct Note {
    @Searchable var title: String
    @Searchable var text: String?
    var year: Int = 0
  }

  @Stored(search: .fts5)
  struct Article {
    @Searchable var body: String
  }

  @Stored
  struct Place {
    @Searchable(tokenizer: .trigram) var name: String
  }

  private let folder: TemporaryFolder
  private let vault: Vault
  private let notes: ObjectStore<Note>

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(at: folder.file("notes.vault"), key: .raw(1...32))
    notes = try vault.store(of: Note.self)
    try notes.insert(contentsOf: [
      Note(title: "A secret", text: "The plans are in the sea chest.", year: 1949),
      Note(title: "The Old Man and the Sea", text: "He was an old man", year: 1952),
      Note(title: "Moby-Dick, or the whale", year: 1851),
      Note(title: "A draft", text: "not yet"), Note(title: "A final draft"),
    ])
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/Searching.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/Searching.md").count > 20)
  }

  @Test("says of searches what they find")
  func asking() throws {
    let found = try notes.search("secret plan*").all()
    #expect(found.map(\.year) == [1949])
    let recent = try notes.search("\"old man\" OR whale", in: "title").where("year > %@", 1950)
      .count()
    #expect(recent == 1)
    try notes.search("draft NOT final").remove()
    #expect(try notes.search("draft").all().map(\.title) == ["A final draft"])
    for (text, count) in [
      ("secret AND plans", 1), ("\"the plans\"", 1), ("\"the pla\"*", 1), ("whale OR sea", 3),
      ("sea NOT (plans OR whale)", 1), ("moby-dick", 1),
    ] {
      #expect(try notes.search(text).count() == count, "\(text)")
    }
    try notes.insert(Note(title: "Été à 東京"))
    #expect(try notes.search("ete 東*").count() == 1)
    #expect(try notes.search("京").count() == 0)
  }

  @Test("says of ranks and snippets what they are")
  func ranking() throws {
    var printed: [String] = []
    func print(_ score: Double, _ title: String, _ snippet: String) {
      if score > 0 { printed.append("\(title): \(snippet)") }
    }
    for match in try notes.search("old sea").range(length: 10).matches() {
      print(match.score, match.object.title, match.snippet)
    }
    #expect(printed == ["The Old Man and the Sea: The [Old] Man and the [Sea]"])
    let marked = try notes.search("sea").matches(
      snippet: SnippetForm(start: "<b>", end: "</b>", ellipsis: "...", words: 8))
    #expect(
      marked.allSatisfy { $0.snippet.lowercased().contains("<b>sea</b>") } && marked.count == 2)
    let ranked = try notes.search("sea").matches(snippet: nil)
    #expect(ranked.map(\.snippet) == ["", ""] && ranked[0].score >= ranked[1].score)
  }

  @Test("says of the asynchronous form what it gives")
  func asynchronous() async throws {
    let later = try await vault.read { try notes.search("sea").matches() }
    #expect(later.map(\.object.year).sorted() == [1949, 1952])
  }

  @Test("Finds parts of words")
  func parts() throws {
    let places = try vault.store(of: Place.self)
    try places.insert(contentsOf: [
      Place(name: "東京都"), Place(name: "Tokyo Tower"), Place(name: "C++ development"),
      Place(name: "airplanes"),
    ])
    let found = try places.search("京").all()
    #expect(found.map(\.name) == ["東京都"])
    let marked = try places.search("\"kyo tow\"").matches().map(\.snippet)
    #expect(marked == ["To[kyo Tow]er"])
    for text in ["plane", "plane*", "\"c d\""] { #expect(try places.search(text).count() == 1) }
  }

  @Test("mends what REPLACE left wrong, and says which module keeps a class's index")
  func mending() throws {
    try notes.search("whale").remove()
    if try !notes.isSearchSound() { try notes.rebuildSearch() }
    #expect(try notes.isSearchSound())
    #expect(Article.classDescription.search == SearchDescription(["body"], module: .fts5))
    #expect(Note.classDescription.search == SearchDescription(["title", "text"]))
    do {
      let articles = try vault.store(of: Article.self)
      try articles.insert(Article(body: "Of the sea"))
      #expect(try articles.search("sea").count() == 1)
    } catch let error as VaultError {
      #expect(error.code == .searchUnavailable)
    }
  }
}
