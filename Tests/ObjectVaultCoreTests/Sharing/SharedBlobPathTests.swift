import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import TestSupport
import Testing

/// Conditions of albums whose cover and back are photos, and to which pages belong.
@Suite("A shared property behind an association")
struct SharedBlobPathTests {
  private static let album = ClassDescription(
    "Album",
    properties: [
      .init("name", type: .string), .init("cover", type: .int64, isOptional: true),
      .init("back", type: .int64, isOptional: true),
      .init("logo", type: .data, isOptional: true),
    ], objectID: ["name"],
    references: [
      ReferenceDescription("cover", target: "Photo"), ReferenceDescription("back", target: "Photo"),
    ],
    owned: [OwnedDescription("sheets", target: "Sheet", reference: "album")])
  private static let sheet = ClassDescription(
    "Sheet",
    properties: [
      .init("album", type: .string, isOptional: true),
      PropertyDescription("scan", type: .data, isOptional: true).shared(),
    ],
    references: [
      ReferenceDescription(
        "album", target: "Album", targetColumns: ["name"], onDelete: .cascade)
    ])

  private let test: TestVault
  private let albums: ObjectStore<DynamicObject>
  private let first = Data.picture(1)
  private let second = Data.picture(2)
  private let short = Data([1, 2, 3])

  init() throws {
    test = try TestVault()
    let photos = try test.vault.store(of: Photo.self)
    let ids = try photos.insert(contentsOf: [
      Photo("first", first), Photo("second", second), Photo("again", first), Photo("short", short),
    ])
    albums = try test.vault.store(of: Self.album, with: [Self.sheet, Photo.classDescription])
    let sheets = try test.vault.store(of: Self.sheet)
    func value(_ position: Int?) -> StoredValue { position.map { .integer(ids[$0]) } ?? .null }
    func bytes(_ data: Data?) -> StoredValue { data.map { .blob([UInt8]($0)) } ?? .null }
    for (name, cover, back, logo) in [
      ("a", 0, 2, first), ("b", 1, 0, first), ("c", 3, nil, short), ("d", nil, nil, nil),
    ] as [(String, Int?, Int?, Data?)] {
      try albums.insert(
        DynamicObject(
          of: Self.album,
          [
            "name": .text(name), "cover": value(cover), "back": value(back), "logo": bytes(logo),
          ]))
    }
    for (album, scan) in [("a", first), ("a", second), ("b", second), ("c", nil), ("c", short)]
      as [(String, Data?)]
    {
      try sheets.insert(
        DynamicObject(of: Self.sheet, ["album": .text(album), "scan": bytes(scan)]))
    }
  }

  private func names(_ condition: String, _ arguments: Any?...) throws -> String {
    try albums.where(condition, arguments: arguments).sorted(by: "name")
      .values(of: "name", as: String.self).joined()
  }

  @Test("is compared with bytes, long and short, and with none")
  func bytes() throws {
    #expect(try names("cover.picture == %@", first) == "a")
    #expect(try names("cover.picture == %@", short) == "c")
    #expect(try names("cover.picture != %@", first) == "bcd")
    #expect(try names("!(cover.picture == %@)", second) == "acd")
    #expect(try names("cover.picture == nil") == "d")
    #expect(try names("cover.picture != nil") == "abc")
    #expect(try names("cover.picture IN %@", [first, short]) == "ac")
    #expect(try names("cover.picture NOT IN %@", [first, short]) == "bd")
    #expect(try names("cover.picture == %@ || back.picture == %@", first, first) == "ab")
  }

  @Test("is compared with another one, and with bytes of the object that are not shared")
  func properties() throws {
    #expect(try names("cover.picture == back.picture") == "ad")
    #expect(try names("cover.picture != back.picture") == "bc")
    #expect(try names("cover.picture == logo") == "acd")
    #expect(try names("logo == back.picture") == "abd")
  }

  @Test("is asked of each of the objects that belong to one")
  func quantified() throws {
    #expect(try names("ANY sheets.scan == %@", first) == "a")
    #expect(try names("ALL sheets.scan == %@", second) == "bd")
    #expect(try names("NONE sheets.scan == %@", second) == "cd")
    #expect(try names("ANY sheets.scan == nil") == "c")
    #expect(try names("ANY sheets.scan == cover.picture") == "abc")
    #expect(try names("ANY sheets.scan IN %@", [short, first]) == "ac")
  }

  @Test("is read, sorted by and counted as the bytes that it stands for")
  func read() throws {
    #expect(
      try albums.sorted(by: "name").values(of: "cover.picture", as: Data?.self)
        == [first, second, short, nil])
    let sorted = [(first, "a"), (second, "b"), (short, "c")]
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    #expect(
      try albums.sorted(by: "cover.picture").values(of: "name", as: String.self) == ["d"] + sorted)
    #expect(try albums.query.distinctValues(of: "back.picture", as: Data?.self) == [nil, first])
  }

  @Test("chooses the objects of an update and a removal")
  func changed() throws {
    #expect(try albums.where("cover.picture == %@", first).update(set: ["logo": nil]) == 1)
    #expect(try names("logo == nil") == "ad")
    #expect(try albums.where("cover.picture == %@", short).remove() == 1)
    #expect(try names("TRUEPREDICATE") == "abd")
  }
}
