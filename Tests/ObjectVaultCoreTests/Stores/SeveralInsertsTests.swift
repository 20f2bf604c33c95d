import ObjectVaultCore
import TestSupport
import Testing

/// A class whose objects take eight to a statement, with an index in which no two may agree.
private struct Badge: StoredObject, GeneratesObjectID, Hashable {
  var objectID: Int64?
  var code: String
  var weight: Double

  init(_ code: String, weight: Double = 0, objectID: Int64? = nil) {
    self.code = code
    self.weight = weight
    self.objectID = objectID
  }

  static let classDescription = ClassDescription(
    "Badge", properties: [.init("code", String.self), .init("weight", Double.self)],
    indexes: [.init(["code"], unique: true)])

  init(row: Row) throws {
    code = try row.value(at: 0)
    weight = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(code, at: 0)
    try binder.bind(weight, at: 1)
  }
}

/// A class of instances without a unique property.
private final class Sticker: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var text: String

  init(_ text: String) { self.text = text }

  static let classDescription = ClassDescription(
    "Sticker", properties: [.init("text", String.self)])

  init(row: Row) throws {
    text = try row.value(at: 0)
    objectID = try row.value(at: 1)
  }

  func encode(into binder: Binder) throws { try binder.bind(text, at: 0) }
}

@Suite("Inserting several objects with a statement") struct SeveralInsertsTests {
  private let test: TestVault
  private let badges: ObjectStore<Badge>

  init() throws {
    test = try TestVault()
    badges = try test.vault.store(of: Badge.self)
  }

  private func made(_ numbers: some Sequence<Int>) -> [Badge] {
    numbers.map { Badge("badge \($0)", weight: Double($0) / 4) }
  }

  @Test("stores each with its own values, and tells their objectIDs", arguments: 0...33)
  func each(count: Int) throws {
    let objects = made(1..<count + 1)
    let ids = try badges.insert(contentsOf: objects)
    #expect(ids == (0..<count).map { Int64($0) + 1 })
    let stored = try badges.all()
    #expect(stored.map(\.objectID) == ids)
    #expect(stored.map(\.code) == objects.map(\.code))
    #expect(stored.map(\.weight) == objects.map(\.weight))
  }

  @Test("rejects an instance that occurs twice, and stores nothing", arguments: [2, 7, 8, 9, 40])
  func sameInstance(count: Int) throws {
    let stickers = try test.vault.store(of: Sticker.self)
    var objects = (1..<count).map { Sticker("\($0)") }
    objects.append(objects[0])
    #expect(code { try stickers.insert(contentsOf: objects) } == .duplicate)
    #expect(try stickers.count() == 0)
    #expect(objects.allSatisfy { $0.objectID == nil })
    try stickers.insert(contentsOf: objects.dropLast())
    #expect(try stickers.count() == count - 1)
  }

  @Test("returns the IDs of its own objects if a trigger inserts more of them")
  func trigger() throws {
    let stickers = try test.vault.store(of: Sticker.self)
    try test.vault.execute(
      "CREATE TRIGGER copy AFTER INSERT ON Sticker WHEN new.text NOT LIKE 'copy%' "
        + "BEGIN INSERT INTO Sticker (text) VALUES ('copy of ' || new.text); END")
    let objects = (1...20).map { Sticker("\($0)") }
    let ids = try stickers.insert(contentsOf: objects)
    #expect(try stickers.count() == 40)
    #expect(try ids.map { try stickers.find($0)?.text } == objects.map(\.text))
    #expect(objects.map(\.objectID) == ids)
  }

  @Test("does the same for a slice, and for a sequence that makes them")
  func sequences() throws {
    let objects = made(1...40)
    #expect(try badges.insert(contentsOf: objects[10..<30]) == (1...20).map { Int64($0) })
    #expect(
      try badges.insert(contentsOf: objects[30...].lazy.map { $0 })
        == (21...30).map { Int64($0) })
    #expect(try badges.all().map(\.code) == objects[10...].map(\.code))
  }

  @Test("keeps the objectIDs that some of them have")
  func some() throws {
    var objects = made(1...40)
    objects[19].objectID = 500
    objects[21].objectID = 90
    let ids = try badges.insert(contentsOf: objects)
    let expected =
      (1...19).map { Int64($0) } + [500, 501, 90] + (502...519).map { Int64($0) }
    #expect(ids == expected)
    for (id, object) in zip(ids, objects) { #expect(try badges.find(id)?.code == object.code) }
  }

  @Test("gives objects of a class theirs in place")
  func inPlace() throws {
    let accounts = (1...20).map { Account(owner: "owner \($0)") }
    let ids = try test.vault.store(of: Account.self).insert(contentsOf: accounts)
    #expect(accounts.map(\.objectID) == ids.map { $0 })
  }

  @Test("stores none where the value of one is taken, wherever it stands", arguments: 0..<20)
  func taken(position: Int) throws {
    try badges.insert(Badge("taken", weight: 1))
    var objects = made(1...20)
    objects[position].code = "taken"
    #expect(code { try badges.insert(contentsOf: objects) } == .duplicate)
    #expect(try badges.all().map(\.code) == ["taken"])
    // What a transaction did before stays, and it goes on.
    try test.vault.transaction {
      try badges.insert(Badge("before"))
      #expect(code { try badges.insert(contentsOf: objects) } == .duplicate)
      try badges.insert(Badge("after"))
    }
    #expect(try badges.all().map(\.code) == ["taken", "before", "after"])
  }

  @Test("stores none where the value of one cannot be kept", arguments: [0, 3, 8, 12, 17])
  func unstorable(position: Int) throws {
    var objects = made(1...18)
    objects[position].weight = .nan
    #expect(code { try badges.insert(contentsOf: objects) } == .invalidValue)
    #expect(try badges.count() == 0)
    #expect(try badges.insert(contentsOf: made(1...18)).count == 18)
    #expect(try badges.all().map(\.weight) == made(1...18).map(\.weight))
  }

  @Test("does not guess numbers near the last one")
  func lastNumbers() throws {
    try badges.insert(Badge("far", objectID: .max - 12))
    let ids = try badges.insert(contentsOf: made(1...12))
    #expect(ids == (0..<12).map { Int64.max - 11 + $0 })
    #expect(code { try badges.insert(contentsOf: made(21...40)) } == .constraint)
    #expect(try badges.count() == 13)
    let mixed = made(51...59) + [Badge("last", objectID: 7)] + made(61...75)
    #expect(code { try badges.insert(contentsOf: mixed) } == .constraint)
    #expect(try badges.count() == 13)
  }

  @Test(
    "finds free numbers where the table keeps none that were given",
    arguments: [Int64.max, Int64.max - 3])
  func adopted(last: Int64) throws {
    let test = try TestVault()
    try test.vault.execute(
      "CREATE TABLE Badge (code TEXT NOT NULL, weight REAL NOT NULL, objectID INTEGER PRIMARY KEY)")
    let badges = try test.vault.store(of: Badge.self)
    try badges.insert(Badge("last", objectID: last))
    let ids = try badges.insert(contentsOf: made(1...20))
    #expect(Set(ids).count == 20)
    for (id, object) in zip(ids, made(1...20)) {
      #expect(try badges.find(id)?.code == object.code)
    }
  }

  @Test("asks for a partition's objects one by one")
  func partition() throws {
    let mine = try badges.partition("weight", is: 2.0)
    let objects = (1...20).map { Badge("mine \($0)", weight: 2) }
    #expect(try mine.insert(contentsOf: objects).count == 20)
    #expect(
      code { try mine.insert(contentsOf: [Badge("a", weight: 2), Badge("b", weight: 3)]) }
        == .otherPartition)
    #expect(try badges.count() == 20)
  }
}
