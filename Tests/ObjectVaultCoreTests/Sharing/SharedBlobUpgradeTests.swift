import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("A property that becomes shared, or ceases to be")
struct SharedBlobUpgradeTests {
  private let test: TestVault
  private let vault: Vault
  private let first = Data.picture(1)
  private let second = Data.picture(2)

  init() throws {
    test = try TestVault()
    vault = test.vault
  }

  private func photo(
    _ description: ClassDescription, _ name: String, _ picture: Data,
    at property: String = "picture"
  ) throws -> DynamicObject {
    var photo = try DynamicObject(of: description)
    try photo.set("name", to: .text(name))
    try photo.set(property, to: .blob([UInt8](picture)))
    return photo
  }

  private func filled(_ description: ClassDescription) throws {
    try vault.store(of: description).insert(contentsOf: [
      photo(description, "a", first), photo(description, "b", second),
      photo(description, "c", first), photo(description, "d", Data([9])),
    ])
  }

  private func pictures(
    _ description: ClassDescription, at property: String = "picture"
  ) throws -> [Data] {
    let store = try vault.store(of: description)
    return try store.all().map { Data(try #require(try $0.value(of: property).bytes)) }
  }

  private var all: [Data] { [first, second, first, Data([9])] }

  private func size() throws -> Int {
    Int(try vault.value("SELECT sum(length(picture)) FROM Photo", as: Int.self) ?? 0)
  }

  @Test("keeps every content on the way there and back")
  func thereAndBack() throws {
    try filled(.photos(isShared: false))
    #expect(try size() == 15_001)
    #expect(try vault.sharedBlobs().contents == 0)
    #expect(try pictures(.photos()) == all)
    #expect(try vault.sharedUses == [1, 2])
    #expect(try size() == 193)
    #expect(try vault.classes()[0].properties[1].isShared)
    #expect(try pictures(.photos(isShared: false)) == all)
    #expect(try vault.sharedUses == [])
    #expect(try vault.sharedCount == 0)
    #expect(try size() == 15_001)
    try vault.store(of: .photos(isShared: false)).removeAll()
    #expect(try vault.verify().isSound)
  }

  @Test("stays shared under another name, in another table and in a table made anew")
  func renamed() throws {
    try filled(.photos())
    let column = ClassDescription.photos(column: "image")
    #expect(try pictures(column, at: "image") == all)
    #expect(try vault.sharedUses == [1, 2])
    let optional = ClassDescription.photos(column: "image", isOptional: true)
    #expect(try pictures(optional, at: "image") == all)
    var table = optional
    (table.table, table.renamedFrom) = ("Image", ["Photo"])
    #expect(try pictures(table, at: "image") == all)
    #expect(try vault.sharedUses == [1, 2])
    let store = try vault.store(of: table)
    try store.where("name == 'a' || name == 'b'").remove()
    #expect(try vault.sharedUses == [1])
    #expect(try vault.verify().isSound)
    var plain = table
    plain.properties[1].isShared = false
    #expect(try pictures(plain, at: "image") == [first, Data([9])])
    #expect(try vault.verify().isSound)
  }

  @Test("is counted while its column stays, and no more when that is dropped")
  func removed() throws {
    try filled(.photos(isOptional: true))
    var without = ClassDescription.photos()
    without.properties.remove(at: 1)
    let store = try vault.store(of: without)
    #expect(try vault.sharedUses == [1, 2])
    try store.where("name == 'b'").remove()
    #expect(try vault.sharedUses == [2])
    // Taken in again, as what it was and as plain bytes.
    #expect(try pictures(.photos(isOptional: true)) == [first, first, Data([9])])
    _ = try vault.store(of: without)
    #expect(try pictures(.photos(isShared: false, isOptional: true)) == [first, first, Data([9])])
    #expect(try vault.sharedCount == 0)
    _ = try vault.store(of: .photos(isOptional: true))
    let again = try vault.store(of: without)
    #expect(try vault.sharedUses == [2])
    #expect(try again.dropRemovedProperties() == ["picture"])
    #expect(try vault.sharedCount == 0)
    #expect(try again.count() == 3)
    try again.removeAll()
    #expect(try vault.verify().isSound)
  }

  /// The changes in one upgrade of two classes.
  enum CommonChange: CaseIterable {
    case bothTables, sharingAndTable, sharingAndColumn
  }

  @Test(
    "keeps the contents of all classes that are upgraded together", .covers("X17"),
    arguments: CommonChange.allCases)
  func together(_ change: CommonChange) throws {
    for isReversed in [false, true] {
      let test = try ChangingVault()
      for description in [
        ClassDescription.pictures("Cover", isShared: change == .bothTables),
        ClassDescription.pictures("Scan"),
      ] {
        try test.insert(
          description, [.blob([UInt8](first))], [.blob([UInt8](second))], [.blob([9])])
      }
      let covers = ClassDescription.pictures(
        "Cover", table: change == .bothTables ? "Sleeve" : "Cover")
      let scans = ClassDescription.pictures(
        "Scan", table: change == .sharingAndColumn ? "Scan" : "Print",
        column: change == .sharingAndColumn ? "image" : "picture")
      try test.install(isReversed ? [scans, covers] : [covers, scans])
      let vault = try test.reopened().vault
      #expect(try vault.sharedUses == [2, 2])
      #expect(try vault.verify().isSound)
      for description in [covers, scans] {
        let column = description.properties[0].name
        let store = try vault.store(of: description)
        #expect(
          try store.query.values(of: column, as: Data.self) == [first, second, Data([9])])
      }
      try vault.store(of: covers).removeAll()
      #expect(try vault.sharedUses == [1, 1])
      try vault.store(of: scans).removeAll()
      #expect(try vault.sharedCount == 0)
      #expect(try vault.verify().isSound)
    }
  }

  @Test("is refused to stores of the other form, and to a vault that only reads")
  func otherForm() throws {
    try filled(.photos(isShared: false))
    let plain = try vault.store(of: .photos(isShared: false))
    let shared = try vault.store(of: .photos())
    #expect(code { _ = try plain.all() } == .schemaMismatch)
    #expect(
      code { _ = try plain.insert(photo(.photos(isShared: false), "e", first)) } == .schemaMismatch)
    #expect(try shared.count() == 4)
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    let reader = try test.another(configuration)
    #expect(code { _ = try reader.store(of: .photos(isShared: false)) } == .schemaMismatch)
    #expect(try reader.store(of: .photos()).where("picture == %@", first).count() == 2)
  }

  @Test("converts its contents where it becomes something else")
  func converted() throws {
    try filled(.photos())
    var other = ClassDescription.photos(isShared: false)
    other.properties[1].type = .string
    #expect(code { _ = try vault.store(of: other) } == .upgradeRefused)
    #expect(try vault.sharedUses == [1, 2])
    #expect(try pictures(.photos()) == all)
    #expect(try vault.verify().isSound)
  }

  @Test("is added with a default, and in a class of another objectID or without numbers of rows")
  func added() throws {
    let number = PropertyDescription("number", type: .int)
    let plain = ClassDescription("Page", properties: [number], objectID: ["number"])
    try vault.store(of: plain).insert(DynamicObject(of: plain, ["number": .integer(1)]))
    for withoutRowID in [false, true] {
      let description = ClassDescription(
        "Page",
        properties: [
          number,
          PropertyDescription("scan", type: .data, defaultValue: .blob([])).shared(),
        ], objectID: ["number"], options: TableOptions(withoutRowID: withoutRowID))
      let store = try vault.store(of: description)
      for position in 2...4 {
        try store.save(
          DynamicObject(
            of: description,
            ["number": .integer(Int64(position)), "scan": .blob([UInt8](first))]))
      }
      #expect(try vault.sharedUses == [3])
      let scans = try store.query.values(of: "scan", as: Data.self)
      #expect(scans == [Data(), first, first, first])
      try store.where("number == 2").remove()
      #expect(try vault.sharedUses == [2])
    }
    #expect(try vault.verify().isSound)
  }

  @Test("follows cascades, nullified and replaced objects", .covers("X17"))
  func cascades() throws {
    let album = ClassDescription(
      "Album",
      properties: [
        PropertyDescription("name", type: .string),
        PropertyDescription("cover", type: .data, isOptional: true).shared(),
      ], objectID: ["name"])
    let page = ClassDescription(
      "Leaf",
      properties: [
        PropertyDescription("album", type: .string, isOptional: true),
        PropertyDescription("scan", type: .data).shared(),
      ],
      indexes: [IndexDescription(["scan"], unique: true)],
      references: [
        ReferenceDescription(
          "album", target: "Album", targetColumns: ["name"], onDelete: .cascade)
      ])
    let albums = try vault.store(of: album)
    let pages = try vault.store(of: page)
    for name in ["x", "y"] {
      try albums.insert(
        DynamicObject(of: album, ["name": .text(name), "cover": .blob([UInt8](first))]))
    }
    func leaf(_ album: String, _ scan: Data) throws -> DynamicObject {
      try DynamicObject(of: page, ["album": .text(album), "scan": .blob([UInt8](scan))])
    }
    try pages.insert(contentsOf: [leaf("x", first), leaf("y", second)])
    #expect(try vault.sharedUses == [1, 3])
    #expect(code { try pages.insert(leaf("x", second)) } == .duplicate)
    #expect(try vault.sharedUses == [1, 3])
    try pages.replace(leaf("x", second))
    #expect(try pages.count() == 2)
    #expect(try vault.sharedUses == [1, 3])
    try albums.remove(id: DynamicObjectID([.text("x")]))
    #expect(try vault.sharedUses == [1])
    #expect(try pages.count() == 0)
    #expect(try vault.verify().isSound)
  }
}

extension StoredValue {
  fileprivate var bytes: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }
}

extension ClassDescription {
  /// A class with one property, which is named after its column.
  fileprivate static func pictures(
    _ name: String, table: String? = nil, column: String = "picture", isShared: Bool = true
  ) -> ClassDescription {
    let picture = PropertyDescription(
      column, type: .data, renamedFrom: column == "picture" ? [] : ["picture"])
    return ClassDescription(
      name, table: table, properties: [isShared ? picture.shared() : picture],
      renamedFrom: table == nil || table == name ? [] : [name])
  }
}
