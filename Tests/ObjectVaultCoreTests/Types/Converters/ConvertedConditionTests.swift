import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import TestSupport
import Testing

@Suite("A condition on a property with a converter", .covers("A39", "P61", "P62"))
struct ConvertedConditionTests {
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

  @Test("is compared with values of either form, whichever way a condition is written")
  func conditions() throws {
    let queries = [
      tags.where("colour == %@", Hue.red), tags.where("colour == %@", "#FF0000"),
      tags.where("colour == '#FF0000'"), tags.where("%@ == colour", Hue.red),
      tags.where("colour == $c", arguments: [], named: ["c": Hue.red]),
      tags.where("%K == %@", "colour", Hue.red),
      tags.where("colour == $0 && $0 == colour", Hue.red),
      try tags.where(ObjectCondition("colour == $0 && colour IN {$1, $0}", Hue.red, Hue.blue)),
      tags.where("price == %@", 1.25 as Decimal),
      tags.where("price == 125"), tags.where("price == %@", 125),
      tags.where("colour IN %@", [Hue.red, .infrared.visible]),
      tags.where("colour IN {%@, %@}", Hue.red, "#123456"),
      try tags.where(ObjectCondition("colour == %@", Hue.red)),
      try tags.where(ObjectCondition("price == $p", arguments: [], named: ["p": Decimal(1.25)])),
      try tags.where(ObjectCondition("%K == %@", "price", Decimal(1.25))),
      tags.where(Where("colour").isEqual(to: Hue.red)),
      tags.where(Where("colour").isEqual(to: "#FF0000")),
      tags.where(Where("price").isEqual(to: Decimal(1.25))),
      tags.where(Where("price").isIn([Decimal(1.25), 3])),
      tags.where { $0.colour == .red }, tags.where { .red == $0.colour },
      tags.where { $0.colour.stored == "#FF0000" }, tags.where { $0.price == 1.25 },
      tags.where { $0.colour.isIn([.red]) && !$0.isOn },
    ]
    for query in queries {
      #expect(try names(query) == ["a"])
    }
  }

  @Test("is asked by a #Predicate as by other conditions")
  func predicates() throws {
    // Foundation asks for values that are `Codable`.
    let (price, day, later) = (Decimal(20), Date.madeDay, Date.madeLater)
    #expect(try names(tags.where(#Predicate { $0.price == price })) == ["c"])
    #expect(
      try names(tags.where(#Predicate { price == $0.price || $0.name == "a" })) == ["a", "c"])
    #expect(
      try names(tags.where(#Predicate { (day...later).contains($0.made) })) == ["a", "b", "c"])
    #expect(try names(tags.where(#Predicate { $0.made < later })) == ["a", "b"])
    #expect(try names(tags.where(#Predicate { $0.made >= later && $0.changed >= later })) == ["c"])
    #expect(try names(tags.where(#Predicate { $0.isOn == true })) == ["b"])
    #expect(try names(tags.where(#Predicate { !$0.isOn && $0.code != "a!" })) == ["c"])
  }

  @Test("compares by what is stored; equal types tell nothing of another form")
  func order() throws {
    #expect(try names(tags.where("made > %@", Date.madeDay)) == ["c"])
    #expect(try names(tags.where("changed > %@", Date.madeDay)) == ["c"])
    #expect(try names(tags.where { $0.made > .madeDay }) == ["c"])
    #expect(try names(tags.where(Where("made").isGreater(than: Date.madeDay))) == ["c"])
    #expect(
      try names(tags.where("made BETWEEN {%@, %@}", Date.madeDay, Date.madeDay)) == ["a", "b"])
    #expect(
      try names(tags.where(Where("made").isBetween(Date.madeDay, Date.madeDay))) == ["a", "b"])
    #expect(try names(tags.where { $0.price.isBetween(1, 1.25) }) == ["a", "b"])
    // Text to text: an argument is a value, a literal and a `StoredValue` are what is stored.
    #expect(try names(tags.where("code == %@", "a!")) == ["a"])
    #expect(try names(tags.where("code == '!a'")) == ["a"])
    #expect(try names(tags.where("code == %@", StoredValue.text("!a"))) == ["a"])
    #expect(try names(tags.where(Where("code").isEqual(to: "a!"))) == ["a"])
    #expect(try names(tags.where(Where("code").isEqual(to: StoredValue.text("!a")))) == ["a"])
    #expect(try names(tags.where { $0.code == "a!" }) == ["a"])
    // What is searched for is looked for in what is stored.
    #expect(try names(tags.where("code BEGINSWITH %@", "!a")) == ["a"])
    #expect(try names(tags.where { $0.colour.stored.hasPrefix("#00") }) == ["b", "c"])
  }

  @Test("is asked alone where it is a truth value")
  func truth() throws {
    #expect(try names(tags.where { $0.isOn }) == ["b"])
    #expect(try names(tags.where { !$0.isOn && $0.name != "a" }) == ["c"])
    #expect(try names(tags.where("isOn == %@", true)) == ["b"])
    #expect(try names(tags.where("isOn == 'no'")) == ["a", "c"])
  }

  @Test("is asked across associations")
  func associations() throws {
    #expect(try names(tags.where("shelf.colour == %@", Hue.red)) == ["a", "b"])
    #expect(try names(tags.where { $0.shelf.colour == .blue }) == ["c"])
    #expect(try names(tags.where(Where("shelf.colour").isEqual(to: Hue.blue))) == ["c"])
    #expect(try shelves.where("ANY tags.colour == %@", Hue.green).all().map(\.id) == [1])
    #expect(try shelves.where("ALL tags (tags.made == %@)", Date.madeLater).all().map(\.id) == [2])
    #expect(try shelves.where { $0.tags.any { $0.price == 20 } }.all().map(\.id) == [2])
    #expect(try shelves.where("tags.@max.price == %@", Decimal(1.25)).all().map(\.id) == [1])
    #expect(try shelves.where { $0.tags.max(\.price) == 20 }.all().map(\.id) == [2])
    #expect(try shelves.where { $0.tags.min(\.made) == .madeLater }.all().map(\.id) == [2])
    let colours = try tags.query.values(of: "shelf.colour", as: Converted<HexColour>?.self)
    #expect(colours.map { $0?.value } == [.red, .red, .blue])
  }

  @Test("joins conditions that share an argument, where it is the same value")
  func joined() throws {
    func asked(_ property: String, _ hue: Hue) throws -> ObjectCondition {
      try ObjectCondition("\(property) == $c", arguments: [], named: ["c": hue])
    }
    #expect(try names(tags.where(asked("colour", .blue) && asked("border", .blue))) == ["c"])
    let error = #expect(throws: VaultError.self) {
      try tags.where(asked("colour", .blue) && asked("border", .red)).validate()
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test("is found however often a condition is asked, with other values each time")
  func knownConditions() throws {
    for _ in 0..<4 {
      #expect(try names(tags.where("colour == %@ && isOn == %@", Hue.green, true)) == ["b"])
      #expect(try names(tags.where("colour == %@ && isOn == %@", Hue.blue, false)) == ["c"])
      #expect(try names(tags.where { $0.price == 20 && $0.name == "c" }) == ["c"])
      #expect(try names(tags.where { $0.price == 1 && $0.name == "b" }) == ["b"])
      #expect(try names(tags.where(Where("colour").isEqual(to: Hue.red))) == ["a"])
      #expect(try names(tags.where(Where("colour").isEqual(to: "#0000FF"))) == ["c"])
    }
  }
}

extension Hue {
  fileprivate var visible: Hue { Hue(2, 2, 2) }
}
