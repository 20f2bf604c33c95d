import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

@Suite("A class whose properties changed")
struct PropertyUpgradeTests {
  private static let person = ClassDescription(
    "Person",
    properties: [.init("name", String.self), .init("age", Int.self), .init("note", String?.self)])
  private static let (name, age, note):
    (
      PropertyDescription, PropertyDescription, PropertyDescription
    ) = (person.properties[0], person.properties[1], person.properties[2])

  private func people() throws -> ChangingVault {
    let vault = try ChangingVault()
    try vault.insert(
      Self.person, [.text("Li"), .integer(20), .text("a")], [.text("Bo"), .integer(300), .null],
      [.text("Ed"), .integer(7), .null])
    return vault
  }

  @Test(
    "has the default, or nothing, where a property was added, and every row as it was",
    .covers("S64", "X4", "X35", "J1", "J23", "J24", "A3", "A5", "P28"))
  func added() throws {
    let vault = try people()
    let more = Self.person.with(
      Self.person.properties + [
        .init("rank", Int.self, defaultValue: 3), .init("nick", String?.self),
        .init("tags", String.self, defaultValue: "it's"),
      ])
    let store = try vault.vault.store(of: more)
    #expect(
      try store.all().map(\.allValues) == [
        [.text("Li"), .integer(20), .text("a"), .integer(3), .null, .text("it's")],
        [.text("Bo"), .integer(300), .null, .integer(3), .null, .text("it's")],
        [.text("Ed"), .integer(7), .null, .integer(3), .null, .text("it's")],
      ])
    #expect(try vault.vault.classes() == [more])
    let sql = try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'Person'")
    #expect("\(sql)".contains("\\\"rank\\\" INTEGER NOT NULL DEFAULT 3"), "\(sql)")
  }

  @Test("takes a default that SQL has no text for")
  func unsayableDefault() throws {
    let vault = try people()
    let text = "a\u{0}b"
    let store = try vault.vault.store(
      of: Self.person.with(Self.person.properties + [.init("x", String.self, defaultValue: text)]))
    #expect(
      try store.all().map { try $0.value(of: "x") } == Array(repeating: .text(text), count: 3))
  }

  @Test("takes a default with a quote before a combining mark, in a new and in a changed table")
  func quotedDefault() throws {
    let text = "l'\u{301}a"
    let vault = try ChangingVault()
    let item = ClassDescription(
      "Item",
      properties: [.init("name", String.self, defaultValue: text), .init("size", Int.self)])
    try vault.insert(item, [.text("x"), .integer(1)])
    try vault.run("INSERT INTO Item (size) VALUES (2)")
    let mark = PropertyDescription("mark", String.self, defaultValue: text)
    let more = item.with([item.properties[0], .init("size", String.self), mark])
    #expect(
      try vault.vault.store(of: more).all().map(\.allValues) == [
        [.text("x"), .text("1"), .text(text)], [.text(text), .text("2"), .text(text)],
      ])
    try vault.run("INSERT INTO Item (size) VALUES ('3')")
    #expect(
      try vault.another().store(of: more).all().last?.allValues
        == [.text(text), .text("3"), .text(text)])
  }

  @Test(
    "is refused where objects would have no value for what was added, unless there are none",
    .covers("A6"))
  func requiredAdded() throws {
    let vault = try people()
    let more = Self.person.with(Self.person.properties + [.init("rank", Int.self)])
    let message = try vault.refusal(more)
    #expect(message.contains("'rank'") && message.contains("objects 1, 2 and 3"), "\(message)")
    try vault.vault.store(of: Self.person).query.remove()
    try vault.insert(more, [.text("Al"), .integer(1), .null, .integer(9)])
    // Numbers are never given twice, also over a table that was made anew.
    #expect(try vault.rows("SELECT objectID, rank FROM Person") == [[.integer(4), .integer(9)]])
  }

  @Test("keeps what a property had under its former names", .covers("X4", "J27"))
  func renamed() throws {
    let vault = try people()
    let changed = Self.person.with([
      .init("fullName", String.self, renamedFrom: ["middle", "name"]), Self.age, Self.note,
      .init("rank", Int?.self),
    ])
    let store = try vault.vault.store(of: changed)
    #expect(
      try store.all().map { try $0.value(of: "fullName") } == [
        .text("Li"), .text("Bo"), .text("Ed"),
      ])
    #expect(
      try vault.rows("SELECT objectID FROM Person") == [
        [.integer(1)], [.integer(2)], [.integer(3)],
      ])
    // Once more: nothing is left to be done.
    let before = try vault.schema()
    #expect(try vault.another().store(of: changed).count() == 3)
    #expect(try vault.schema() == before)
  }

  @Test("gives a name to one property that another gives up, also in a circle, and once only")
  func renamedInCircle() throws {
    let vault = try people()
    let moved = Self.person.with([
      .init("note", String?.self, renamedFrom: ["name"]), .init("age", Int.self),
      .init("remark", String?.self, renamedFrom: ["note"]),
    ])
    #expect(
      try vault.vault.store(of: moved).first()?.allValues
        == [.text("Li"), .integer(20), .text("a")])
    let other = try people()
    var swapped = Self.person.with([
      .init("name", String?.self, renamedFrom: ["note"]), Self.age,
      .init("note", String?.self, renamedFrom: ["name"]),
    ])
    let expected: [StoredValue] = [.text("a"), .integer(20), .text("Li")]
    #expect(try other.vault.store(of: swapped).first()?.allValues == expected)
    // Not back again by what changes next.
    swapped.properties[2].defaultValue = .text("changed")
    #expect(try other.vault.store(of: swapped).first()?.allValues == expected)
  }

  @Test("keeps the column of what was removed, and takes objects without it", .covers("A4", "J25"))
  func removed() throws {
    let vault = try people()
    let less = Self.person.with([Self.age])
    try vault.insert(less, [.integer(1)])
    #expect(
      try vault.rows("SELECT objectID, name, age, note FROM Person WHERE objectID IN (1, 4)") == [
        [.integer(1), .text("Li"), .integer(20), .text("a")],
        [.integer(4), .null, .integer(1), .null],
      ])
    // What an older program writes, which names its columns, goes on being taken.
    try vault.run("INSERT INTO Person (name, age, note) VALUES ('Old', 2, NULL)")
    let store = try vault.vault.store(of: less)
    #expect(try store.count() == 5)
    // An object that is replaced keeps the values of its other columns.
    var first = try #require(try store.first())
    try first.set("age", to: .integer(21))
    try store.replace(first)
    #expect(
      try vault.rows("SELECT name, age, note FROM Person WHERE objectID = 1")
        == [[.text("Li"), .integer(21), .text("a")]])
  }

  @Test(
    "is converted to the type that it has when it is added again, or refused", .covers("X36"),
    arguments: [false, true])
  func addedAgain(isDescribed: Bool) throws {
    var vault = try people()
    _ = try vault.vault.store(of: Self.person.with([Self.note]))
    if !isDescribed {
      try vault.forgetRemovedProperties()
      vault = try vault.reopened()
    }
    for other in [
      PropertyDescription("name", type: .uuid, isOptional: true),
      PropertyDescription("age", UInt8?.self),
      PropertyDescription("id", type: .uuid, isOptional: true, renamedFrom: ["name"]),
    ] {
      let message = try vault.refusal(Self.person.with([Self.note, other]))
      #expect(message.contains("cannot be converted without loss"), "\(message)")
      #expect(message.contains("changes from") == isDescribed, "\(message)")
    }
    let store = try vault.vault.store(
      of: Self.person.with([
        Self.note, .init("age", Double.self), .init("called", String.self, renamedFrom: ["name"]),
      ]))
    #expect(
      try store.all().map(\.allValues) == [
        [.text("a"), .real(20), .text("Li")], [.null, .real(300), .text("Bo")],
        [.null, .real(7), .text("Ed")],
      ])
  }

  @Test("is in the description of the class while its column remains, which is no other class")
  func describedRemoved() throws {
    let vault = try people()
    let less = Self.person.with([Self.age])
    let store = try vault.vault.store(of: less)
    func description() throws -> String {
      let rows = try vault.rows("SELECT description FROM objectvault_classes")
      guard case .text(let json)? = rows.first?.first else { return "" }
      return json
    }
    #expect(
      try description().hasSuffix(
        #""removed":[{"name":"name","column":"name","type":"String"},"#
          + #"{"name":"note","column":"note","type":"String","optional":true}]}"#))
    #expect(try vault.vault.classes() == [less])
    // A class that is the same needs no upgrade, and another one does not lose the properties.
    let before = try vault.schema()
    #expect(try vault.another().store(of: less).count() == 3)
    #expect(try vault.schema() == before)
    _ = try vault.vault.store(of: less.with([Self.age, .init("rank", Int?.self), Self.note]))
    #expect(
      try description().hasSuffix(
        #","removed":[{"name":"name","column":"name","type":"String"}]}"#))
    _ = try vault.vault.store(of: less)
    #expect(try store.dropRemovedProperties() == ["name", "note", "rank"])
    #expect(try !description().contains("removed"))
    #expect(try vault.vault.classes() == [less])
  }

  @Test("that only come in another order changes no row and no table")
  func reordered() throws {
    let vault = try people()
    let before = try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'Person'")
    let store = try vault.vault.store(of: Self.person.with([Self.note, Self.age, Self.name]))
    #expect(try store.first()?.allValues == [.text("a"), .integer(20), .text("Li")])
    #expect(try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'Person'") == before)
  }

  @Test("has its values in another type where nothing of them is lost", .covers("X36"))
  func converted() throws {
    let vault = try people()
    let store = try vault.vault.store(
      of: Self.person.with([Self.name, .init("age", String.self), Self.note]))
    #expect(
      try store.all().map { try $0.value(of: "age") }
        == [.text("20"), .text("300"), .text("7")])
    let back = try vault.vault.store(
      of: Self.person.with([Self.name, .init("age", Double.self), Self.note]))
    #expect(try back.all().map { try $0.value(of: "age") } == [.real(20), .real(300), .real(7)])
    #expect(try vault.rows("SELECT typeof(age) FROM Person LIMIT 1") == [[.text("real")]])
  }

  @Test("is refused where a value would be lost in another type, and the first objects are named")
  func lossy() throws {
    let vault = try people()
    let narrow = try vault.refusal(
      Self.person.with([Self.name, .init("age", Int8.self), Self.note]))
    #expect(
      narrow.contains("'age' changes from Int to Int8") && narrow.contains("object 2 "), "\(narrow)"
    )
    let number = try vault.refusal(
      Self.person.with([.init("name", Int.self), Self.age, Self.note]))
    #expect(number.contains("objects 1, 2 and 3"))
    #expect(!number.contains("Li") && !narrow.contains("300"))
  }

  @Test(
    "is refused if a value could not be read in the new type or would change, and remains readable",
    .covers("X36"),
    arguments: [
      (.double, .real(1e300), .decimal), (.double, .real(.leastNonzeroMagnitude), .decimal),
      (.string, .text(String(repeating: "7", count: 45)), .decimal),
      (.string, .text("my file ü"), .url), (.string, .text("https://example.org/a b"), .url),
    ] as [(PropertyType, StoredValue, PropertyType)])
  func unreadable(former: PropertyType, value: StoredValue, new: PropertyType) throws {
    let vault = try ChangingVault()
    let item = ClassDescription(
      "Item", properties: [PropertyDescription("value", type: former)])
    try vault.insert(item, [value])
    let message = try vault.refusal(item.with([PropertyDescription("value", type: new)]))
    #expect(message.contains("'value' changes from"), "\(message)")
    #expect(try vault.vault.store(of: item).first()?.allValues == [value])
    #expect(try vault.another().store(of: item).first()?.allValues == [value])
  }

  @Test(
    "has texts and numbers as decimals and URLs that can be read", .covers("X36"),
    arguments: [
      (.real(1e20), .decimal, .text("100000000000000000000")),
      (.text("0.10"), .decimal, .text("0.1")),
      (.text("https://example.org/a%20b"), .url, .text("https://example.org/a%20b")),
    ] as [(StoredValue, PropertyType, StoredValue)])
  func readable(value: StoredValue, new: PropertyType, converted: StoredValue) throws {
    let vault = try ChangingVault()
    let former: PropertyType = if case .real = value { .double } else { .string }
    let item = ClassDescription(
      "Item", properties: [PropertyDescription("value", type: former)])
    try vault.insert(item, [value])
    let store = try vault.vault.store(of: item.with([PropertyDescription("value", type: new)]))
    #expect(try store.first()?.allValues == [converted])
  }

  @Test("changes no class where another that changes with it is refused", .covers("A11"))
  func together() throws {
    let vault = try people()
    let other = ClassDescription("Other", properties: [.init("x", Int.self)])
    try vault.insert(other, [.integer(1)])
    let before = try vault.schema()
    let changed = other.with([.init("x", String.self)])
    let narrow = Self.person.with([Self.name, .init("age", Int8.self), Self.note])
    for (first, second) in [(changed, narrow), (narrow, changed)] {
      #expect(code { _ = try vault.vault.store(of: first, with: [second]) } == .upgradeRefused)
      #expect(try vault.schema() == before)
    }
    #expect(try vault.rows("SELECT x, typeof(x) FROM Other") == [[.integer(1), .text("integer")]])
    _ = try vault.vault.store(of: changed, with: [Self.person])
    #expect(try vault.rows("SELECT x FROM Other") == [[.text("1")]])
  }

  @Test("names objects by when they were inserted where their objectIDs are values")
  func ordinals() throws {
    let vault = try ChangingVault()
    let item = ClassDescription(
      "Item", properties: [.init("code", String.self), .init("price", Double.self)],
      objectID: ["code"])
    for index in 1...30 {
      try vault.insert(item, [.text("secret\(100 - index)"), .real(index % 10 == 2 ? 0.5 : 1)])
    }
    let message = try vault.refusal(item.with([item.properties[0], .init("price", Int.self)]))
    #expect(message.contains("the 2nd, 12th and 22nd objects by insertion"), "\(message)")
    #expect(!message.contains("secret"))
  }

  @Test("may have no value any more, or must have one again")
  func optional() throws {
    let vault = try people()
    let loose = Self.person.with([.init("name", String?.self), Self.age, Self.note])
    try vault.insert(loose, [.null, .integer(1), .null])
    let message = try vault.refusal(Self.person)
    #expect(message.contains("'name' is no longer optional, but object 4 has"), "\(message)")
    let filled = try vault.vault.store(
      of: Self.person.with([
        .init("name", String.self, defaultValue: "?"), Self.age,
        .init("note", String.self, defaultValue: ""),
      ]))
    #expect(
      try filled.all().map { try $0.value(of: "name") }
        == [.text("Li"), .text("Bo"), .text("Ed"), .text("?")])
    #expect(try vault.rows("SELECT count(*) FROM Person WHERE note = ''") == [[.integer(3)]])
    let sql = try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'Person'")
    #expect("\(sql)".contains("note\\\" TEXT NOT NULL DEFAULT"), "\(sql)")
  }
}
