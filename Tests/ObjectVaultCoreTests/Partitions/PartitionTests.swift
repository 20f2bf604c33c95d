import Foundation
import ObjectVaultCondition
import Synchronization
import TestSupport
import Testing

import ObjectVaultCore

@Suite("A partition", .covers("X46")) struct PartitionTests {
  private let desk: Desk
  private var mine: ObjectStore<Memo> { desk.memos }

  init() throws { desk = try Desk(Memo.anns + Memo.bobs, of: "ann") }

  // MARK: Writing

  @Test("stores, changes and removes objects of its own as any store does")
  func own() throws {
    try mine.insert(Memo(10, of: "ann", number: 1))
    try mine.insert(contentsOf: [Memo(11, of: "ann", number: 1), Memo(12, of: "ann", number: 1)])
    var memo = try #require(try mine.find(10))
    memo.number = 2
    try mine.update(memo)
    memo.title = "red wine"
    try mine.update(memo, only: "title")
    memo.isDone = false
    #expect(try mine.updateChanges(of: memo, from: #require(try mine.find(10))) == ["isDone"])
    try mine.save(memo)
    try mine.save(Memo(13, of: "ann", number: 3))
    // In the place of the one with its objectID, and of the one with its mark.
    var other = Memo(11, of: "ann", number: 4)
    other.mark = "mark 12"
    try mine.replace(other)
    try mine.changeID(of: 13, to: 14)
    #expect(
      try mine.where("id >= 10").all().map { "\($0.id) \($0.title) \($0.number) \($0.isDone)" }
        == ["10 red wine 2 false", "11 green tea 11 4 true", "14 green tea 13 3 true"])
    #expect(try mine.where("id >= 10").update(set: ["user": "ann", "number": 9]) == 3)
    try mine.remove(memo)
    try mine.remove(ids: [11, 14])
    #expect(try desk.content(of: "ann") == Memo.anns.map(Desk.text))
    #expect(try desk.content(of: "bob") == Memo.bobs.map(Desk.text))
  }

  @Test("does not overwrite what another one holds under an objectID or with a unique value")
  func held() throws {
    let foreign = PartitionOperations.foreign
    var marked = Memo(20, of: "ann", number: 1)
    marked.mark = "mark 4"
    for memo in [foreign, marked] {
      for store in [{ try mine.insert($0) }, { try mine.save($0) }, { try mine.replace($0) }]
        as [(Memo) throws -> Memo]
      {
        #expect(code { _ = try store(memo) } == .duplicate)
      }
      #expect(
        code { try mine.save(contentsOf: [Memo(21, of: "ann", number: 1), memo]) } == .duplicate)
    }
    marked.id = 3
    #expect(code { try mine.update(marked) } == .duplicate)
    #expect(code { try mine.replace(marked) } == .duplicate)
    #expect(code { try mine.changeID(of: 3, to: 4) } == .duplicate)
    #expect(try desk.content(of: "ann") == Memo.anns.map(Desk.text))
    #expect(try desk.content(of: "bob") == Memo.bobs.map(Desk.text))
  }

  @Test("refuses an object of another one by a message with class and property, and no value")
  func refused() throws {
    var memo = Memo(20, of: "secret user", number: 1)
    memo.title = "secret title"
    let error = #expect(throws: VaultError.self) { try mine.insert(memo) }
    let message = try #require(error?.message)
    #expect(error?.code == .otherPartition)
    #expect(message.contains("'Memo'") && message.contains("'user'"))
    #expect(!message.contains("secret") && !message.contains("ann"))
    // As its bytes are, also where Swift takes texts for equal.
    let accented = try desk.whole.partition(\.user, is: "\u{e9}")
    #expect(code { try accented.insert(Memo(20, of: "e\u{301}", number: 1)) } == .otherPartition)
    try accented.insert(Memo(20, of: "\u{e9}", number: 1))
    #expect(try desk.whole.partition(\.user, is: "e\u{301}").count() == 0)
  }

  @Test("takes objects that lack the property where it is not written")
  func partial() throws {
    var object = try #require(try desk.dynamic.where("id == 3").all(only: "title").first)
    try object.set("title", to: .text("new"))
    try desk.dynamic.update(object, only: "title")
    #expect(try mine.find(3)?.title == "new")
    // One that was not fetched says nothing of it either.
    object = try DynamicObject(of: Memo.classDescription)
    try object.set("id", to: .integer(3))
    try object.set("title", to: .text("newer"))
    try desk.dynamic.update(object, only: "title")
    #expect(try mine.find(3)?.title == "newer")
    #expect(code { try desk.dynamic.update(object, only: "title", "mark") } == nil)
    try object.set("user", to: .text("bob"))
    #expect(code { try desk.dynamic.update(object, only: "title") } == .otherPartition)
  }

  @Test("keeps objectIDs that it is a part of")
  func partOfObjectID() throws {
    let setting = ClassDescription(
      "Setting",
      properties: [.init("user", type: .string), .init("name", type: .string)],
      objectID: ["user", "name"], options: TableOptions(withoutRowID: true))
    let settings = try desk.vault.store(of: setting)
    func object(_ user: String, _ name: String) throws -> DynamicObject {
      var object = try DynamicObject(of: setting)
      try object.set("user", to: .text(user))
      try object.set("name", to: .text(name))
      return object
    }
    func id(_ user: String, _ name: String) -> DynamicObjectID {
      DynamicObjectID([.text(user), .text(name)])
    }
    try settings.insert(contentsOf: [object("ann", "a"), object("bob", "a"), object("bob", "b")])
    let mine = try settings.partition("user", is: "ann")
    #expect(try mine.find(ids: [id("ann", "a"), id("bob", "a"), id("bob", "b")]).count == 1)
    #expect(code { try mine.changeID(of: id("ann", "a"), to: id("bob", "c")) } == .otherPartition)
    #expect(code { try mine.changeID(of: id("bob", "a"), to: id("ann", "c")) } == .noSuchObject)
    try mine.changeID(of: id("ann", "a"), to: id("ann", "b"))
    #expect(code { try mine.remove(id: id("bob", "b")) } == .noSuchObject)
    #expect(try settings.where("user == 'ann'").values(of: "name", as: String.self) == ["b"])
    #expect(try settings.count() == 3)
  }

  // MARK: Values

  @Test("is that of any value, which is bound and never part of a statement")
  func quotes() throws {
    let lines = Mutex<[String]>([])
    var configuration = VaultConfiguration()
    configuration.statementLog = StatementLog { text in lines.withLock { $0.append(text) } }
    let test = try TestVault(configuration)
    let store = try test.vault.store(of: Memo.self)
    let name = "o'hara\" OR 1 = 1 -- /* %@ \0 ?1"
    try store.insert(contentsOf: [Memo(1, of: name, number: 1), Memo(2, of: "ann", number: 2)])
    let part = try store.partition(\.user, is: name)
    #expect(try part.all().map(\.id) == [1])
    #expect(try part.find(ids: [1, 2]).map(\.id) == [1])
    #expect(try part.removeAll() == 1)
    #expect(try store.all().map(\.id) == [2])
    #expect(lines.withLock { $0.contains { $0.contains("\"user\"") } })
    #expect(!lines.withLock { $0.contains { $0.contains("hara") } })
  }

  @Test(
    "has the objects that SQL selects if their column stores whole numbers as integers",
    arguments: [100.0, 100.5])
  func numericColumn(_ seconds: Double) throws {
    let event = ClassDescription(
      "Event",
      properties: [
        PropertyDescription("name", String.self),
        PropertyDescription("start", Double.self).columnDefined(type: "DATETIME"),
      ])
    let events = try desk.vault.store(of: event)
    for start in [seconds, seconds + 1] {
      var object = try DynamicObject(of: event)
      try object.set("name", to: .text("a"))
      try object.set("start", to: .real(start))
      try events.insert(object)
    }
    let part = try events.partition("start", is: seconds)
    #expect(try part.objects("SELECT * FROM Event").count == 1)
    #expect(try part.count() == 1)
  }

  @Test("can be that of no value")
  func absent() throws {
    var memo = Memo(10, of: "ann", number: 1)
    memo.mark = nil
    try mine.insert(memo)
    for unmarked in [try mine.partition("mark", is: nil), try mine.partition(\.mark, is: nil)] {
      #expect(try unmarked.all().map(\.id) == [10])
      #expect(try unmarked.find(ids: [3, 10]).map(\.id) == [10])
      #expect(code { try unmarked.insert(Memo(11, of: "ann", number: 1)) } == .otherPartition)
      #expect(code { try unmarked.remove(id: 3) } == .noSuchObject)
    }
    let marked = try mine.partition(\.mark, is: "mark 3")
    #expect(try marked.all().map(\.id) == [3])
    #expect(try marked.contains(id: 10) == false)
    #expect(code { _ = try desk.whole.partition("user", is: nil) } == .invalidValue)
  }

  @Test("is by a reference too, of one part or several")
  func references() throws {
    let replies = try mine.partition(\.parent, is: Ref(id: 2))
    #expect(try replies.all().map(\.id) == [3, 5])
    #expect(try mine.partition("parent", is: 2).all().map(\.id) == [3, 5])
    #expect(try replies.find(ids: [2, 5, 7]).map(\.id) == [5])
    #expect(code { try replies.insert(Memo(10, of: "ann", number: 1)) } == .otherPartition)
    try replies.insert(Memo(10, of: "ann", number: 1, parent: 2))
    let box = ClassDescription(
      "Box", properties: [.init("room", type: .string), .init("number", type: .int)],
      objectID: ["room", "number"])
    let thing = ClassDescription(
      "Thing",
      properties: [
        .init("name", type: .string), .init("box_room", type: .string, isOptional: true),
        .init("box_number", type: .int, isOptional: true),
      ],
      references: [
        ReferenceDescription(
          "box", properties: ["box_room", "box_number"], target: "Box",
          targetColumns: ["room", "number"])
      ])
    let things = try desk.vault.store(of: thing, with: [box])
    let boxes = try desk.vault.store(of: box)
    func object(
      of description: ClassDescription, _ values: [String: StoredValue]
    ) throws -> DynamicObject {
      var object = try DynamicObject(of: description)
      for (name, value) in values { try object.set(name, to: value) }
      return object
    }
    for number: Int64 in [1, 2] {
      try boxes.insert(object(of: box, ["room": .text("a"), "number": .integer(number)]))
      try things.insert(
        object(
          of: thing,
          ["name": .text("\(number)"), "box_room": .text("a"), "box_number": .integer(number)]))
    }
    try things.insert(object(of: thing, ["name": .text("none")]))
    let first = try things.partition("box", is: DynamicObjectID([.text("a"), .integer(1)]))
    #expect(try first.values(of: "name") == ["1"])
    #expect(try first.find(ids: [1, 2].map { DynamicObjectID(.integer($0)) }).count == 1)
    #expect(try things.partition("box", is: nil).values(of: "name") == ["none"])
    #expect(code { _ = try things.partition("box", is: "a") } == .invalidValue)
  }

  @Test("of a partition is that of both values")
  func nested() throws {
    let done = try mine.partition(\.isDone, is: true)
    #expect(try done.all().map(\.id) == [5, 7])
    #expect(try mine.partition(\.isDone, is: true).partition("user", is: "ann").count() == 2)
    #expect(try done.find(ids: [3, 5, 6]).map(\.id) == [5])
    #expect(code { try done.insert(Memo(0, of: "ann", number: 1)) } == .otherPartition)
    #expect(code { _ = try done.partition("user", is: "bob") } == .invalidArgument)
    #expect(try done.removeAll() == 2)
    #expect(try mine.all().map(\.id) == [2, 3])
  }

  @Test("is of values that can be told apart, of properties that the class has")
  func properties() throws {
    let odd = ClassDescription(
      "Odd",
      properties: [
        .init("fee", type: .decimal), .init("list", type: .json),
        PropertyDescription("photo", type: .data).shared(), .init("number", type: .int8),
        .init("code", type: .uuid), .init("day", type: .date),
      ])
    let store = try desk.vault.store(of: odd)
    #expect(code { _ = try store.partition("fee", is: Decimal(1)) } == .invalidArgument)
    #expect(code { _ = try store.partition("list", is: [1]) } == .invalidArgument)
    #expect(code { _ = try store.partition("photo", is: Data([1])) } == .invalidArgument)
    #expect(code { _ = try store.partition("none", is: 1) } == .noSuchProperty)
    #expect(code { _ = try store.partition("number", is: 1000) } == .invalidValue)
    #expect(code { _ = try store.partition("number", is: "one") } == .invalidValue)
    #expect(code { _ = try desk.whole.partition("parent.user", is: "ann") } == .noSuchProperty)
    let (uuid, day) = (UUID(), Date(timeIntervalSince1970: 0.1234567))
    var object = try DynamicObject(of: odd)
    try object.set("fee", to: .text("1"))
    try object.set("list", to: .text("[]"))
    try object.set("photo", to: .blob([1]))
    try object.set("number", to: .integer(1))
    try object.set("code", to: .text(uuid.uuidString))
    try object.set("day", to: .real(day.timeIntervalSince1970))
    try store.insert(object)
    #expect(try store.partition("code", is: uuid).count() == 1)
    #expect(try store.partition("code", is: uuid.uuidString.lowercased()).count() == 1)
    #expect(try store.partition("code", is: UUID()).count() == 0)
    let thatDay = try store.partition("day", is: day)
    #expect(try thatDay.count() == 1)
    #expect(try thatDay.objects("SELECT * FROM \(table: odd)").count == 1)
    object.assignObjectID(DynamicObjectID(.integer(2)))
    try thatDay.insert(object)
    #expect(try thatDay.find(ids: [1, 2].map { DynamicObjectID(.integer($0)) }).count == 2)
  }

  // MARK: Objects together

  @Test("loads and saves what belongs to its objects")
  func owned() throws {
    var memo = try #require(try mine.find(2))
    #expect(memo.replies?.map(\.text) == ["to 2"])
    memo.replies?.append(Reply("more"))
    try mine.save(memo)
    #expect(try mine.find(2)?.replies?.map(\.text) == ["to 2", "more"])
    memo.replies = [Reply("other")]
    try mine.update(memo)
    #expect(try mine.all().first?.replies?.map(\.text) == ["other"])
    // Of a memo that it does not have: nothing of it is stored.
    memo = PartitionOperations.foreign
    #expect(code { try mine.update(memo) } == .noSuchObject)
    #expect(code { try mine.save(memo) } == .duplicate)
    #expect(try desk.content(of: "bob") == Memo.bobs.map(Desk.text))
  }

  @Test("is used in transactions, and undone with them")
  func transactions() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try desk.vault.transaction {
        let mine = try desk.vault.store(of: Memo.self).partition(\.user, is: "ann")
        #expect(try mine.removeAll() == 4)
        #expect(try mine.count() == 0)
        try mine.insert(Memo(10, of: "ann", number: 1))
        throw Stop()
      }
    }
    #expect(try desk.content(of: "ann") == Memo.anns.map(Desk.text))
    #expect(try desk.vault.read { try (mine.count(), desk.whole.count()) } == (4, 8))
  }

  @Test("is told of changes of its own objects only")
  func observed() async throws {
    let counts = Deliveries(mine.observeCount())
    let first = try await counts.first(1)
    try await desk.whole.insert(Memo(20, of: "bob", number: 1))
    try await desk.whole.insert(Memo(21, of: "ann", number: 1))
    try await counts.wait { $0 == 5 }
    #expect(first == [4] && counts.elements == [4, 5])
    counts.cancel()
  }

  // MARK: Queries

  @Test("is not left by a condition, however that is put together")
  func conditions() throws {
    let whole = mine.where("number > 0 OR user == 'bob' OR TRUEPREDICATE")
    #expect(try whole.count() == 4)
    #expect(try whole.not().count() == 0)
    #expect(try mine.query.not().count() == 0)
    #expect(try mine.where("user == 'bob'").not().count() == 4)
    #expect(try mine.where("user == 'bob'").or(mine.query).count() == 4)
    #expect(try mine.where("id IN %@", Array(1...2000)).all().map(\.id) == [2, 3, 5, 7])
    #expect(try mine.where("ANY replies.text != '' OR parent.user == 'bob'").count() == 4)
    let deepest =
      String(repeating: "(isDone || ", count: 190) + "isDone" + String(repeating: ")", count: 190)
    #expect(try mine.where(deepest).count() == 2)
    let widest = (0..<390).map { "number == \($0)" }.joined(separator: " || ")
    #expect(try mine.where(widest).count() == 4)
  }

  @Test(
    "is not left by SQL that closes what it did not open",
    arguments: [
      "1) OR (1", "number = 1) OR (user = 'bob'", "1) --", "1) /*", "1 THEN 1 ELSE 1 END OR (1",
      "1) OR 1 OR CASE WHEN (1",
    ])
  func fragments(_ sql: String) throws {
    for store in [mine, desk.whole] {
      #expect(
        code { _ = try store.where(sql: SQLStatement(unchecked: sql)).all() } == .engineRefused)
    }
    #expect(try mine.where(sql: "number > \(0) OR 1 -- all of them").count() == 4)
  }

  @Test("is combined with queries of itself only")
  func combined() throws {
    let bobs = try desk.whole.partition(\.user, is: "bob")
    for other in [bobs.query, desk.whole.query, try mine.partition(\.isDone, is: true).query] {
      #expect(code { try mine.query.and(other).validate() } == .invalidArgument)
      #expect(code { try other.or(mine.query).validate() } == .invalidArgument)
    }
    #expect(try mine.query.and(desk.whole.partition("user", is: "ann").query).count() == 4)
  }

  @Test("explains itself, and suggests the index that it wants")
  func explained() throws {
    let explanation = try mine.where("number > %@", 10).explain()
    #expect(explanation.condition == "all of\n  user == ? (TEXT)\n  number > ? (INTEGER)")
    #expect(explanation.sql.contains("\"user\" = ?"))
    #expect(explanation.suggestions.map(\.index.properties) == [["user", "number"]])
    #expect(
      try mine.query.explain().suggestions.map(\.declaration) == ["@Indexed var user: String"])
  }
}

extension ObjectStore where T == DynamicObject {
  fileprivate func values(of property: String) throws -> [String] {
    try query.values(of: property, as: String.self)
  }
}
