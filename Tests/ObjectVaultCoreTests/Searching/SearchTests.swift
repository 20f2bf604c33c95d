import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

@Suite("A search")
struct SearchTests {
  private let test: TestVault
  private let pages: ObjectStore<SeaPage>

  init() throws {
    test = try TestVault()
    pages = try test.vault.store(of: SeaPage.self)
    try pages.insert(contentsOf: SeaPage.samples)
  }

  private func numbers(_ text: String, in property: String? = nil) throws -> [Int] {
    try pages.search(text, in: property).all().map(\.number)
  }

  @Test(
    "finds words, beginnings of words, phrases, and what AND, OR, NOT and parentheses make of them",
    arguments: [
      ("sea", [1, 2]), ("SEA", [1, 2]), ("sea old", [1]), ("old sea", [1]), ("sea AND old", [1]),
      ("whale OR wives", [2, 3]), ("old NOT sea", [3]), ("sea NOT whale NOT fish", []),
      ("wha*", [2]), ("wha", []), ("\"old man\"", [1]), ("\"man old\"", []), ("\"old ma\"*", [1]),
      ("\"the old\" OR \"old wives\"", [1, 3]), ("(whale OR fish) sea", [1, 2]),
      ("(whale OR fish) NOT (man OR wives)", [2]), ("old AND (fish OR (tales NOT sea))", [1, 3]),
      ("sea OR wives NOT old", [1, 2]), ("moby-dick", [2]), ("dick-moby", []), ("wives'", [3]),
      ("elan", [4]), ("ete", [4]), ("angstrom", [4]), ("STRASSE", []), ("STRAßE", [4]),
      ("日本語", [5]), ("海", [5]), ("東*", [5]), ("and or not", []), ("and", [1]), ("nothing", []),
      ("near", []), ("a NOT a", []), ("\"a* fish\"", [1]), ("^fish", [1]), ("title:sea", []),
      ("the\u{0}sea", [1, 2]), ("\"sea\u{0}the\"", [2]),
    ])
  func finds(_ text: String, _ expected: [Int]) throws {
    #expect(try numbers(text) == expected)
  }

  @Test("of one property looks in no other")
  func inOneProperty() throws {
    #expect(try numbers("sea", in: "title") == [1])
    #expect(try numbers("sea", in: "body") == [1, 2])
    #expect(try numbers("old man", in: "body") == [1])
    #expect(try numbers("(sea OR moby) NOT old", in: "title") == [2])
  }

  @Test("combines with conditions, orders, ranges, other searches, counts and removals")
  func combines() throws {
    let sea = pages.search("sea")
    #expect(try sea.where("number > 1").all().map(\.number) == [2])
    #expect(try pages.where("number < 2 || number == 3").search("old").count() == 2)
    #expect(try sea.sorted(by: .descending("number")).all().map(\.number) == [2, 1])
    #expect(try sea.range(offset: 1, length: 1).all().map(\.number) == [2])
    #expect(try sea.range(offset: 1).count() == 1)
    #expect(try sea.search("fish", in: "body").all().map(\.number) == [1])
    #expect(try sea.exists() && !pages.search("nothing").exists())
    #expect(try sea.first()?.number == 1)
    #expect(try sea.values(of: "title", as: String.self).count == 2)
    #expect(try sea.and(pages.search("fish")).all().map(\.number) == [1])
    #expect(try pages.where("number > 1").and(sea).all().map(\.number) == [2])
    #expect(code { try sea.or(pages.query).validate() } == .invalidArgument)
    #expect(code { try pages.where("number > 1").or(sea).validate() } == .invalidArgument)
    #expect(code { try sea.not().validate() } == .invalidArgument)
    var seen: [Int] = []
    try sea.forEach { seen.append($0.number) }
    #expect(seen == [1, 2])
    #expect(try sea.range(offset: 1).remove() == 1)
    #expect(try numbers("sea") == [1] && pages.count() == 4)
    #expect(try sea.remove() == 1)
    #expect(try numbers("sea") == [])
    #expect(try pages.isSearchSound())
  }

  @Test("goes with updates, aggregates, groups and the values of properties")
  func asked() throws {
    let sea = pages.search("sea OR wives")
    #expect(
      try sea.max(of: "number", as: Int.self) == 3 && sea.sum(of: "number", as: Int.self) == 6)
    #expect(try sea.grouped(by: "number").count() == 3)
    #expect(try sea.distinctValues(of: "number", as: Int.self) == [1, 2, 3])
    #expect(try sea.range(length: 2).update(set: ["title": "A storm"]) == 2)
    #expect(try numbers("storm") == [1, 2] && numbers("moby").isEmpty)
    #expect(try pages.search("storm").update(set: ["body": "sea"]) == 2)
    #expect(try numbers("fish").isEmpty && numbers("storm sea") == [1, 2])
    #expect(try pages.isSearchSound())
  }

  @Test("reads what the vault's own transaction wrote, and forgets what is rolled back")
  func transactions() throws {
    struct Undo: Error {}
    var counts: [Int] = []
    _ = try? test.vault.transaction {
      try pages.insert(SeaPage("Kraken"))
      counts.append(try pages.search("kraken").count())
      _ = try? test.vault.transaction {
        try pages.search("kraken").remove()
        counts.append(try pages.search("kraken").count())
        throw Undo()
      }
      counts.append(try pages.search("kraken").count())
      throw Undo()
    }
    #expect(counts == [1, 0, 1])
    #expect(try pages.search("kraken").count() == 0)
    #expect(try pages.isSearchSound())
  }

  @Test("has asynchronous forms")
  func asynchronous() async throws {
    #expect(try await pages.search("sea").all().map(\.number) == [1, 2])
    #expect(try await pages.search("sea").count() == 2)
    #expect(
      try await onOwnThread { try pages.search("whale").matches().map(\.object.number) } == [2])
    #expect(try await onOwnThread { try pages.isSearchSound() })
    try await onOwnThread { try pages.rebuildSearch() }
    #expect(try await onOwnThread { try pages.search("sea").remove() } == 2)
  }

  @Test("goes through a class described at run time")
  func dynamic() throws {
    let store = try test.vault.store(named: "Page")
    let found = try store.search("whale").all()
    #expect(try found.map { try $0.value(of: "number") } == [.integer(2)])
  }

  @Test("is refused for a class or a property that is not searched")
  func refused() throws {
    let people = try test.vault.store(of: Person.self)
    #expect(code { try people.search("x").validate() } == .invalidArgument)
    #expect(code { try pages.search("x", in: "number").validate() } == .invalidArgument)
    #expect(code { try pages.search("x", in: "nope").validate() } == .noSuchProperty)
    #expect(code { _ = try people.query.matches() } == .invalidArgument)
    #expect(code { try people.rebuildSearch() } == .invalidArgument)
    let many = (0..<40).map { "w\($0)" }.joined(separator: " OR ")
    let two = pages.search(many).search(many)
    #expect(try two.where("number IN %@", Array(0..<2000)).count() == 0)
    #expect(code { try two.search("x").validate() } == .invalidCondition)
  }

  @Test("sees every word of every writer: insert, update, save, replace, changed IDs and removals")
  func writers() throws {
    var page = try #require(try pages.search("whale").first())
    page.body = "A dolphin"
    try pages.update(page)
    #expect(try numbers("whale") == [] && numbers("dolphin") == [2])
    page.title = "Squid"
    try pages.update(page, only: "title")
    #expect(try numbers("dick") == [] && numbers("squid dolphin") == [2])
    page.title = "Octopus"
    try pages.save(page)
    #expect(try numbers("squid") == [] && numbers("octopus") == [2])
    page.title = "Cuttlefish"
    try pages.replace(page)
    #expect(try numbers("octopus") == [] && numbers("cuttlefish dolphin") == [2])
    try pages.changeID(of: try #require(page.objectID), to: 77)
    #expect(try pages.search("cuttlefish").first()?.objectID == 77)
    page.objectID = 77
    page.body = nil
    try pages.update(page)
    #expect(try numbers("dolphin") == [] && numbers("cuttlefish") == [2])
    try pages.remove(id: 77)
    #expect(try numbers("cuttlefish") == [])
    #expect(try pages.isSearchSound())
    #expect(try pages.removeAll() == 4)
    #expect(try numbers("old") == [] && pages.isSearchSound())
    // The generated number is that of the object, not of the index.
    #expect(try pages.insert(SeaPage("One")).objectID == 78)
  }

  @Test("finds the objects of classes with other objectIDs, whose rows the engine numbers")
  func otherIDs() throws {
    let text = ClassDescription(
      "Word", properties: [.init("code", String.self), .init("text", String.self)],
      objectID: ["code"], indexes: [.init(["text"], unique: true)], search: .init(["text"]))
    let composite = ClassDescription(
      "Pair",
      properties: [.init("a", String.self), .init("b", Int.self), .init("text", String.self)],
      objectID: ["a", "b"], search: .init(["text", "a"]))
    for description in [text, composite] {
      let store = try test.vault.store(of: description)
      for (number, word) in ["one", "two", "three"].enumerated() {
        var object = try DynamicObject(of: description)
        for property in description.properties where property.name != "text" {
          try object.set(
            property.name, to: property.type == .int ? .integer(Int64(number)) : .text("k\(number)")
          )
        }
        try object.set("text", to: .text("word \(word)"))
        try store.insert(object)
      }
      #expect(try store.search("word").count() == 3)
      var two = try #require(try store.search("two").first())
      try two.set("text", to: .text("word zwei"))
      try store.replace(two)
      #expect(try store.search("two").count() == 0 && store.search("zwei").count() == 1)
      #expect(try store.search("zwei").remove() == 1)
      #expect(try store.search("word").count() == 2 && store.isSearchSound())
      try test.vault.file().withWriter { try $0.execute("VACUUM") }
      #expect(try store.search("three").count() == 1 && store.isSearchSound())
    }
    // An object in the way of a unique value goes with its words.
    let store = try test.vault.store(of: text)
    var object = try DynamicObject(of: text)
    try object.set("code", to: .text("new"))
    try object.set("text", to: .text("word one"))
    try store.replace(object)
    #expect(try store.search("one").all().map { try $0.value(of: "code") } == [.text("new")])
    #expect(try store.isSearchSound())
  }

  @Test("loses the words of objects that a cascade removes")
  func cascades() throws {
    let owner = ClassDescription("Owner", properties: [.init("name", String.self)])
    let note = ClassDescription(
      "Note", properties: [.init("text", String.self), .init("owner", Int64.self)],
      references: [ReferenceDescription("owner", target: "Owner", onDelete: .cascade)],
      search: .init(["text"]))
    let owners = try test.vault.store(of: owner)
    let notes = try test.vault.store(of: note)
    var object = try DynamicObject(of: owner)
    try object.set("name", to: .text("x"))
    let id = try #require(try owners.insert(object).storedObjectID)
    var text = try DynamicObject(of: note)
    try text.set("text", to: .text("secret plan"))
    try text.set("owner", to: .integer(1))
    try notes.insert(text)
    #expect(try notes.search("plan").count() == 1)
    try owners.remove(id: id)
    #expect(try notes.search("plan").count() == 0 && notes.count() == 0)
    #expect(try notes.isSearchSound())
  }
}
