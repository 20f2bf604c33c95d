import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import TestSupport
import Testing

@Suite("A property with a converter", .covers("A39", "P61", "P62"))
struct ConvertedPropertyTests {
  private let test: TestVault
  private let tags: ObjectStore<PaintTag>
  private let shelves: ObjectStore<PaintShelf>

  init() throws {
    test = try TestVault()
    tags = try test.vault.store(of: PaintTag.self)
    shelves = try test.vault.store(of: PaintShelf.self)
    try shelves.insert(contentsOf: [PaintShelf(1, .red), PaintShelf(2, .blue)])
    try tags.insert(contentsOf: [
      PaintTag("a", .red, price: 1.25, shelf: 1),
      PaintTag("b", .green, border: .red, isOn: true, shelf: 1),
      PaintTag("c", .blue, border: .blue, price: 20, made: .madeLater, shelf: 2),
    ])
  }

  private func names(_ query: Query<PaintTag>) throws -> [String] {
    try query.sorted(by: "name").all().map(\.name)
  }

  @Test("is stored as the converter says, and comes back equal")
  func storing() throws {
    let tag = PaintTag("d", Hue(1, 2, 3), border: .green, price: 0.5, made: .madeLater, isOn: true)
    let id = try tags.insert(tag).objectID
    var expected = tag
    expected.objectID = id
    #expect(try tags.find(#require(id)) == expected)
    let row = try test.vault.row("SELECT * FROM \"Tag\" WHERE \"objectID\" = \(id)")
    #expect(try row?.value("tint", as: String.self) == "#010203")
    #expect(try row?.value("border", as: String.self) == "#00FF00")
    #expect(try row?.value("price", as: Int.self) == 50)
    #expect(try row?.value("made", as: Int64.self) == 1_700_000_001_500)
    #expect(try row?.value("isOn", as: String.self) == "yes")
    #expect(try row?.value("code", as: String.self) == "!d")
    #expect(try row?.object(PaintTag.self) == expected)
    #expect(try row?.value("border", as: Converted<HexColour>.self).value == .green)
  }

  @Test("keeps nil as no value, without the converter")
  func nothing() throws {
    #expect(try tags.where("border == nil").all().map(\.name) == ["a"])
    #expect(try names(tags.where { $0.border == nil }) == ["a"])
    #expect(try names(tags.where { $0.border != nil }) == ["b", "c"])
    try tags.where("name == 'b'").update(set: ["border": nil])
    #expect(try tags.query.values(of: \.border) == [nil, nil, .blue])
  }

  @Test("is a column of the type that is stored")
  func column() throws {
    let types = PaintTag.classDescription.properties.map(\.type)
    #expect(
      types == [
        .string, .string, .string, .int, .int, .date, .string, .string, .int64,
      ])
    let sql = try test.vault.row("SELECT sql FROM sqlite_master WHERE name = 'Tag'")?
      .value("sql", as: String.self)
    #expect(sql?.contains("\"price\" INTEGER NOT NULL DEFAULT 250") == true)
    #expect(sql?.contains("\"isOn\" TEXT NOT NULL DEFAULT 'yes'") == true)
  }

  @Test("sorts and is unique by what is stored")
  func indexes() throws {
    #expect(try tags.sorted(by: "colour").all().map(\.name) == ["c", "b", "a"])
    #expect(try tags.sorted(by: \.colour.descending, \.name).all().map(\.name) == ["a", "b", "c"])
    let error = #expect(throws: VaultError.self) { try tags.insert(PaintTag("d", .red)) }
    #expect(error?.code == .duplicate)
  }

  @Test("gives its values, each once, the least and the greatest")
  func values() throws {
    #expect(try tags.query.values(of: \.colour) == [.red, .green, .blue])
    #expect(try tags.query.values(of: "made", as: Date?.self) == [.madeDay, .madeDay, .madeLater])
    #expect(try tags.query.values(of: "colour", as: String.self).first == "#FF0000")
    #expect(try tags.query.values(of: \.border) == [nil, .red, .blue])
    #expect(try tags.query.values(of: "price", as: Decimal.self) == [1.25, 1, 20])
    #expect(try tags.query.values(of: "price", as: Int.self) == [125, 100, 2000])
    #expect(try tags.query.values(of: "made", as: Date.self) == [.madeDay, .madeDay, .madeLater])
    let pairs = try tags.query.values(
      of: "made", "price", "name", as: Date.self, Int.self, String.self)
    #expect(
      pairs.map(\.0) == [.madeDay, .madeDay, .madeLater] && pairs.map(\.1) == [125, 100, 2000])
    #expect(try tags.query.distinctValues(of: \.made) == [.madeDay, .madeLater])
    #expect(try tags.query.distinctValues(of: \.border) == [nil, .blue, .red])
    #expect(try tags.query.distinctValues(of: "price", as: Decimal.self) == [1, 1.25, 20])
    #expect(try tags.query.min(of: \.price) == 1 && tags.query.max(of: \.made) == .madeLater)
    #expect(try tags.query.max(of: "price", as: Decimal.self) == 20)
    #expect(try tags.query.max(of: "price", as: Int.self) == 2000)
    #expect(try tags.query.sum(of: "price", as: Int.self) == 2225)
    let error = #expect(throws: VaultError.self) {
      try tags.query.sum(of: "price", as: Decimal.self)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test("makes groups, of which conditions and rows know it")
  func groups() throws {
    let groups = tags.query.grouped(by: "made")
      .aggregating(.count(as: "n"), .max(of: "price", as: "dearest"))
    let rows = try groups.rows(as: Date.self, Int.self, Decimal.self)
    #expect(rows.map(\.0) == [.madeDay, .madeLater] && rows.map(\.2) == [1.25, 20])
    #expect(try groups.having("made == %@", Date.madeLater).count() == 1)
    #expect(try groups.having("%K == %@", "dearest", Decimal(1.25)).count() == 1)
    #expect(try groups.having("dearest > 125").count() == 1)
    let colours = try tags.query.grouped(by: "shelf.colour").rows(as: Converted<HexColour>?.self)
    #expect(colours.map { $0?.value } == [.blue, .red])
  }

  @Test("is updated alone and by query")
  func updates() throws {
    var tag = try #require(try tags.first())
    (tag.colour, tag.name) = (Hue(0, 0, 1), "x")
    try tags.update(tag, only: "colour")
    #expect(try tags.find(1)?.colour == Hue(0, 0, 1))
    #expect(try tags.find(1)?.name == "a")
    let before = try #require(try tags.find(1))
    tag.border = .green
    #expect(try tags.updateChanges(of: tag, from: before) == ["name", "border"])
    #expect(try tags.find(1)?.border == .green)
    try tags.where("colour == %@", Hue.blue).update(set: [
      "price": Decimal(3), "border": Hue.green, "made": Date.madeDay, "code": "z!",
    ])
    let found = try #require(try tags.find(3))
    #expect(
      found.price == 3 && found.border == .green && found.made == .madeDay && found.code == "z!")
    try tags.where("name == 'c'").update(set: ["price": 7, "border": "#000102"])
    #expect(try tags.find(3)?.price == Decimal(7) / 100)
    try tags.where("name == 'c'").update { $0.set("border", toValueOf: "colour") }
    #expect(try tags.find(3)?.border == .blue)
    for change in ["price", "made"] {
      let error = #expect(throws: VaultError.self) {
        try tags.query.update { $0.increment(change) }
      }
      #expect(error?.code == .invalidArgument)
    }
    let error = #expect(throws: VaultError.self) {
      try tags.query.update { $0.set("name", toValueOf: "code") }
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test("is exchanged as what is stored")
  func exchange() throws {
    let tag = PaintTag("d", Hue(1, 2, 3), price: 0.5)
    let json = String(decoding: try tags.json(of: tag), as: UTF8.self)
    #expect(json.contains(##""colour":"#010203""##))
    #expect(json.contains(#""price":50"#) && json.contains(#""isOn":"no""#))
    #expect(try tags.object(fromJSON: Data(json.utf8)) == tag)
    #expect(try tags.values(of: tag)["colour"] == .text("#010203"))
    let values: [String: Any?] = [
      "name": "d", "colour": Hue(1, 2, 3), "price": Decimal(0.5), "made": Date.madeDay,
      "changed": Date.madeDay, "isOn": false, "code": "d!",
    ]
    #expect(try tags.object(from: values) == tag)
    #expect(try tags.object(from: tags.values(of: tag)) == tag)
    // What is not named has its default value, as an object of before the property.
    let least = try tags.object(
      from: ["name": "e", "colour": "#FF0000", "made": 0, "changed": Date.madeDay, "code": "e"])
    #expect(least.price == 2.5 && least.isOn && least.colour == .red)
  }

  @Test("is what is stored, to whoever does not know the class")
  func dynamic() throws {
    let store = try test.vault.store(named: "Tag")
    let object = try #require(try store.where("colour == '#FF0000'").first())
    #expect(try object.value(of: "colour") == .text("#FF0000"))
    #expect(try object.value(of: "price") == .integer(125))
    #expect(
      store.classDescription.properties.map(\.type)
        == PaintTag.classDescription.properties.map(\.type))
    #expect(try test.vault.verify().isSound)
  }

  @Test("is a column to clauses of SQL, which take its values")
  func clauses() throws {
    let table = ClassTable(PaintTag.self)
    let found = try test.vault.rows(
      Select(table.colour).from(table).where(table.matches { $0.price == 20 }).statement)
    #expect(try found.map { try $0.value("tint", as: String.self) } == ["#0000FF"])
    try test.vault.execute(
      Update(PaintTag.self).set(\.border, to: .green).set(\.colour, to: Hue(9, 9, 9))
        .where(table.name == "a").statement)
    #expect(try tags.find(1)?.colour == Hue(9, 9, 9))
    #expect(try tags.find(1)?.border == .green)
  }

  @Test("keeps objects apart")
  func partitions() throws {
    #expect(try tags.partition("made", is: Date.madeDay).count() == 2)
    #expect(try tags.partition(\.made, is: .madeDay).all().map(\.name) == ["a", "b"])
    #expect(try tags.partition(\.border, is: nil).all().map(\.name) == ["a"])
    let error = #expect(throws: VaultError.self) {
      try tags.partition(\.made, is: .madeDay).insert(PaintTag("x", Hue(4, 4, 4), made: .madeLater))
    }
    #expect(error?.code == .otherPartition)
  }

  @Test("is read without blocking the caller")
  func asynchronous() async throws {
    #expect(try await onOwnThread { try tags.query.values(of: \.colour) } == [.red, .green, .blue])
    #expect(try await onOwnThread { try tags.query.values(of: \.border) } == [nil, .red, .blue])
    #expect(
      try await onOwnThread { try tags.query.distinctValues(of: \.made) } == [.madeDay, .madeLater])
    #expect(
      try await onOwnThread { try tags.query.distinctValues(of: \.border) } == [nil, .blue, .red])
    #expect(try await onOwnThread { try tags.query.min(of: \.price) } == 1)
    #expect(try await onOwnThread { try tags.query.max(of: \.made) } == .madeLater)
    #expect(try await tags.where { $0.colour == .red }.count() == 1)
  }
}
