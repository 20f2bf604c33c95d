import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("A converter that refuses something", .covers("P61", "P62"))
struct ConverterErrorTests {
  private let test: TestVault
  private let tags: ObjectStore<PaintTag>

  init() throws {
    test = try TestVault()
    tags = try test.vault.store(of: PaintTag.self)
    try tags.insert(contentsOf: [PaintTag("a", .red), PaintTag("b", .green)])
  }

  /// The error, which names the class and the property and never what is stored.
  private func error(_ property: String, _ body: () throws -> Void) -> VaultError? {
    let error = #expect(throws: VaultError.self, performing: body)
    #expect(error?.code == .invalidValue)
    #expect(
      error?.message.contains("'\(property)' of class 'Tag'") == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("secret") == false)
    #expect(error?.message.contains("infrared") == false)
    return error
  }

  @Test("what is stored fails the read, with the class and the property, and nothing of it")
  func reading() throws {
    try test.vault.execute("UPDATE \"Tag\" SET tint = 'secret' WHERE name = 'a'")
    let reads: [() throws -> Void] = [
      { _ = try tags.all() }, { _ = try tags.find(1) }, { _ = try tags.query.values(of: \.colour) },
      {
        _ = try tags.query.values(
          of: "name", "colour", as: String.self, Converted<HexColour>.self)
      },
      { _ = try tags.query.distinctValues(of: \.colour) }, { _ = try tags.query.max(of: \.colour) },
      {
        _ = try tags.object(
          from: tags.values(of: PaintTag("c", .blue)).merging(["colour": .text("secret")]) { $1 })
      },
    ]
    for read in reads {
      let error = error("colour", read)
      #expect(error?.message.contains("HexColour") == true)
      #expect(error?.underlying is NoColour)
    }
    // Everything else of the object is to be had, and to be mended.
    #expect(try tags.query.values(of: "name", as: String.self) == ["a", "b"])
    #expect(try tags.query.values(of: "colour", as: String.self).sorted() == ["#00FF00", "secret"])
    try tags.where("colour == 'secret'").update(set: ["colour": Hue.red])
    #expect(try tags.all().map(\.colour) == [.red, .green])
  }

  @Test("what another class is stored as is named, too")
  func storageClass() throws {
    try test.vault.execute("UPDATE \"Tag\" SET price = x'00' WHERE name = 'a'")
    _ = error("price") { _ = try tags.all() }
  }

  @Test("an object fails the write, of which nothing stays")
  func writing() throws {
    let wrong = PaintTag("c", .infrared)
    let writes: [() throws -> Void] = [
      { try tags.insert(wrong) }, { try tags.insert(contentsOf: [PaintTag("d", .blue), wrong]) },
      { try tags.save(wrong) }, { try tags.replace(wrong) },
      {
        var tag = wrong
        tag.objectID = 1
        try tags.update(tag)
      },
      {
        var tag = wrong
        tag.objectID = 1
        try tags.update(tag, only: "colour")
      },
      { _ = try ObjectSnapshot(of: wrong) }, { _ = try tags.json(of: wrong) },
      { try tags.query.update(set: ["colour": Hue.infrared]) },
      { _ = try tags.object(from: ["colour": Hue.infrared]) },
      { try tags.partition(\.made, is: .madeDay).insert(wrong) },
    ]
    for write in writes {
      #expect(error("colour", write)?.underlying is NoColour)
    }
    #expect(try tags.all().map(\.colour) == [.red, .green])
  }

  @Test("a value in a condition fails the question")
  func conditions() throws {
    let questions: [() throws -> Void] = [
      { try tags.where("colour == %@", Hue.infrared).validate() },
      { try tags.where { $0.colour == .infrared }.validate() },
      { try tags.where(Where("colour").isEqual(to: Hue.infrared)).validate() },
      { try tags.where("colour IN %@", [Hue.red, .infrared]).validate() },
    ]
    for question in questions {
      let error = #expect(throws: VaultError.self, performing: question)
      #expect(error?.code == .invalidValue && error?.underlying is NoColour)
      #expect(error?.message.contains("infrared") == false)
    }
  }

  @Test("a value of another type is refused as for any property")
  func types() throws {
    let questions: [(VaultError.Code, () throws -> Void)] = [
      (.invalidArgument, { try tags.where("name == %@", Hue.red).validate() }),
      (.invalidArgument, { try tags.where(Where("name").isEqual(to: Hue.red)).validate() }),
      (.invalidCondition, { try tags.where("price == %@", "dear").validate() }),
      (.invalidCondition, { try tags.where("made == %@", "2026-01-01T00:00:00Z").validate() }),
      (.invalidCondition, { try tags.where("isOn").validate() }),
      (.invalidCondition, { try tags.where { $0.halved * 2 > 3 }.validate() }),
      (.invalidCondition, { try tags.where { $0.halved.asDouble > 3 }.validate() }),
      (.invalidCondition, { try tags.where { 3 - $0.halved > 3 }.validate() }),
      (.invalidCondition, { try tags.where { $0.made == $0.changed }.validate() }),
      (.invalidValue, { try tags.query.update(set: ["price": "x"]) }),
    ]
    for (code, question) in questions {
      #expect(throws: VaultError.self, performing: question)
      let error = #expect(throws: VaultError.self, performing: question)
      #expect(error?.code == code)
    }
    // Of one converter they are alike.
    #expect(try tags.where { $0.border == $0.colour }.count() == 0)
    // One argument cannot be both forms.
    let error = #expect(throws: VaultError.self) {
      try tags.where("made == $d || changed == $d", arguments: [], named: ["d": Date.madeDay])
        .validate()
    }
    #expect(error?.code == .invalidArgument)
    let numbered = try ObjectCondition("made == $0 || changed == $0", Date.madeDay)
    for query in [
      tags.where("made == $0 || changed == $0", Date.madeDay), tags.where(numbered),
    ] {
      let error = #expect(throws: VaultError.self) { try query.validate() }
      #expect(error?.code == .invalidArgument)
    }
  }

  // MARK: Descriptions

  /// Its values have a nil of their own.
  private enum WithNil: PropertyConverter {
    static func stored(_ value: Int?) -> String { value.map { "\($0)" } ?? "none" }
    static func value(_ stored: String) -> Int? { Int(stored) }
  }

  private enum Doubled: PropertyConverter {
    static func stored(_ value: Int) -> Int { value * 2 }
    static func value(_ stored: Int) -> Int { stored / 2 }
  }

  @Test(
    "a description that no converter fits is refused",
    arguments: [
      ClassDescription(
        "A", properties: [PropertyDescription("a", Int?.self, converter: WithNil.self)]),
      ClassDescription(
        "A", properties: [PropertyDescription("a", Int.self, converter: Doubled.self)],
        objectID: ["a"]),
      ClassDescription(
        "A",
        properties: [
          PropertyDescription(
            "a", Hue.self, converter: HexColour.self, defaultValue: .infrared)
        ]),
      ClassDescription(
        "A",
        properties: [PropertyDescription("a", Int.self, converter: Doubled.self)],
        references: [ReferenceDescription("a", target: "A")]),
    ])
  func descriptions(_ description: ClassDescription) throws {
    let error = #expect(throws: VaultError.self) { try test.vault.store(of: description) }
    #expect(error?.code == .invalidClass)
    #expect(error?.message.contains("'a'") == true)
    #expect(error?.message.contains("infrared") == false)
  }
}
