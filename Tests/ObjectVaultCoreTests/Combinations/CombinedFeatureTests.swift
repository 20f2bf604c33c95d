import Foundation
import ObjectVaultCore
import TestSupport
import Testing

/// Classes with all features at once: full-text search, shared blobs, sealed and erasable values,
/// an ordered list, a history and insertion times.
@Suite("All features of a class together") struct CombinedFeatureTests {
  private let folder: TemporaryFolder
  private let keys: ErasableKeys
  private let configuration: VaultConfiguration

  init() throws {
    folder = try TemporaryFolder()
    keys = try .ofTests(in: folder.url)
    var configuration = try VaultConfiguration.erasing(keys)
    configuration.upgradeBackup = .keep
    self.configuration = configuration
  }

  private func open(_ name: String) throws -> Vault {
    try Vault(at: folder.file(name), key: .ofTests, configuration: configuration)
  }

  private func fill(_ vault: Vault) throws {
    let classes = PageClasses()
    let book = try DynamicObject(of: classes.book, ["name": .text("b")])
    try vault.store(of: classes.book, with: [classes.page]).insert(book)
    let pages = try vault.store(of: classes.page, with: [classes.book])
    for number in 0..<8 {
      let page = try DynamicObject(
        of: classes.page,
        [
          "title": .text("word\(number) word"), "tag": .text("tag \(number)"),
          "scan": .blob([UInt8](repeating: UInt8(number % 2), count: 100)),
          "secret": number == 3 ? .null : .text("secret \(number)"),
          "person": .text("p\(number % 3)"), "iban": .text("iban \(number)"),
          "age": .integer(Int64(number)), "meta": .text("{\"a\":\(number)}"), "book": .text("b"),
        ])
      try pages.insert(page)
    }
    try vault.execute("UPDATE Page SET ov_order_book = 100 - objectID")
    try keys.destroy("p1")
  }

  /// Returns everything that the vault has of the classes.
  private func contents(_ vault: Vault, _ classes: PageClasses) throws -> [String] {
    let pages = try vault.store(of: classes.page, with: [classes.book])
    let selected = try pages.objects("SELECT * FROM \(name: classes.table) ORDER BY objectID")
    #expect(try selected == pages.sorted(by: "objectID").all())
    var lines = try pages.all().map { page in
      let id = DynamicObjectID(.integer(page.generatedID ?? 0))
      let values = try classes.names.filter { $0 != "age" }.map { "\(try page.value(of: $0))" }
      return "\(id) \(values) \(try pages.insertionDate(of: id) as Any)"
    }
    let (tag, order) = (classes.name("tag"), "ov_order_\(classes.name("book"))")
    lines.append("\(try pages.search("word3").count()) \(try pages.isSearchSound())")
    lines.append("\(try pages.where("\(tag) == 'tag 4'").count())")
    lines.append(
      "\(try vault.rows("SELECT \(unchecked: order) AS o FROM \(unchecked: classes.table)"))")
    lines.append("\(try vault.verify().isSound)")
    return lines
  }

  @Test("Copies and transfers contain everything") func copies() throws {
    let vault = try open("a.vault")
    try fill(vault)
    let classes = PageClasses()
    let expected = try contents(vault, classes)
    func check(_ name: String) throws {
      let copy = try open(name)
      #expect(try contents(copy, classes) == expected, "\(name)")
      copy.close()
    }
    try vault.backup(to: folder.file("backup.vault"), key: .ofTests)
    try check("backup.vault")
    let file = try DatabaseFile(at: folder.file("backup.vault"), key: .ofTests)
    let report = try file.salvage(to: folder.file("salvaged.vault"), key: .ofTests)
    #expect(report.notRestored.isEmpty)
    try check("salvaged.vault")
    let target = try open("transferred.vault")
    for _ in 0..<2 { try ObjectTransfer(from: vault, to: target).run() }
    target.close()
    try check("transferred.vault")
    try vault.compact()
    #expect(try contents(vault, classes) == expected)
  }

  @Test("Upgrades retain everything, and the history records none of them") func upgrades() throws {
    var vault = try open("a.vault")
    try fill(vault)
    var classes = PageClasses()
    let expected = try contents(vault, classes)
    let position = try vault.historyPosition()
    let steps: [(String, (inout PageClasses) -> Void)] = [
      (
        "columns",
        {
          $0.rename([
            "title": "heading", "secret": "hidden", "person": "owner", "book": "volume",
            "scan": "image",
          ])
        }
      ),
      ("tokenizer", { $0.tokenizer = .trigram }),
      ("table", { ($0.table, $0.formerTable) = ("Leaf", "Page") }),
      ("owner", { ($0.bookTable, $0.formerBookTable) = ("Tome", "Book") }),
      ("unshared", { $0.isShared = false }),
      ("shared", { $0.isShared = true }),
      ("type", { $0.age = .double }),
      ("findable and searched", { $0.rename(["tag": "heading", "title": "tag"]) }),
      ("findable and hidden", { $0.rename(["secret": "heading", "tag": "hidden"]) }),
      ("key and searched", { $0.rename(["person": "tag", "title": "owner"]) }),
    ]
    for (name, change) in steps {
      change(&classes)
      let rehearsal = try vault.rehearseMigration(of: [classes.page, classes.book])
      #expect(rehearsal.refusal == nil, "\(name)")
      for _ in 0..<2 {
        #expect(try contents(vault, classes) == expected, "\(name)")
        vault.close()
        vault = try open("a.vault")
      }
    }
    #expect(try vault.recorded(since: position) == [])
    let before = try open("a.vault.before-upgrade")
    #expect(try contents(before, PageClasses()) == expected)
    before.close()
    try vault.store(of: classes.book, with: [classes.page]).removeAll()
    #expect(try vault.store(of: classes.page, with: [classes.book]).count() == 0)
    #expect(try vault.sharedBlobs().uses == 0)
    #expect(try vault.verify().isSound)
    vault.close()
  }
}

/// A class with all features and the class of its owners, with names that change.
private struct PageClasses {
  var table = "Page"
  var formerTable: String?
  var bookTable = "Book"
  var formerBookTable: String?
  var tokenizer = SearchDescription.Tokenizer.words
  var isShared = true
  var age = PropertyType.int
  private var present: [String: String] = [:]
  private var former: [String: String] = [:]

  private static let properties = [
    "title", "scan", "secret", "tag", "person", "iban", "age", "meta", "book",
  ]

  /// Returns the present name of a property.
  func name(_ first: String) -> String { present[first] ?? first }

  /// The present names of all properties.
  var names: [String] { Self.properties.map(name) }

  /// Gives properties, by their first names, new names.
  mutating func rename(_ names: [String: String]) {
    former = [:]
    for first in names.keys { former[first] = name(first) }
    for (first, new) in names { present[first] = new }
  }

  private func property(
    _ first: String, _ type: PropertyType = .string, isOptional: Bool = false
  ) -> PropertyDescription {
    PropertyDescription(
      name(first), type: type, isOptional: isOptional,
      renamedFrom: former[first].map { [$0] } ?? [])
  }

  var page: ClassDescription {
    let scan = property("scan", .data, isOptional: true)
    return ClassDescription(
      "Page", table: table,
      properties: [
        property("title"), isShared ? scan.shared() : scan,
        property("secret", isOptional: true).sealed(), property("tag").sealed(.findable),
        property("person"), property("iban", isOptional: true).sealed(by: name("person")),
        property("age", age), property("meta", .json), property("book", isOptional: true),
      ], indexes: [IndexDescription([name("tag")], unique: true), IndexDescription(["age"])],
      references: [
        ReferenceDescription(
          name("book"), target: bookTable, targetColumns: ["name"], onDelete: .cascade)
      ], renamedFrom: formerTable.map { [$0] } ?? [],
      search: SearchDescription([name("title")], tokenizer: tokenizer),
      options: TableOptions(insertionTime: true, history: .changes))
  }

  var book: ClassDescription {
    ClassDescription(
      "Book", table: bookTable, properties: [PropertyDescription("name", type: .string)],
      objectID: ["name"],
      owned: [
        OwnedDescription("pages", target: table, reference: name("book"), ordered: true)
      ], renamedFrom: formerBookTable.map { [$0] } ?? [])
  }
}
