import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("A shared property")
struct SharedBlobTests {
  private let test: TestVault
  private let vault: Vault
  private let photos: ObjectStore<Photo>
  private let first = Data.picture(1)
  private let second = Data.picture(2)

  init() throws {
    test = try TestVault()
    vault = test.vault
    photos = try vault.store(of: Photo.self)
  }

  @Test("keeps each content once, and gives every object its own", .covers("X16"))
  func once() throws {
    try photos.insert(contentsOf: (0..<20).map { Photo("\($0)", $0 < 15 ? first : second) })
    #expect(try vault.sharedUses == [5, 15])
    let statistics = try vault.sharedBlobs()
    #expect(statistics.contents == 2 && statistics.uses == 20)
    #expect(statistics.bytes == 10_000 && statistics.bytesOfObjects == 100_000)
    let all = try photos.all()
    #expect(all.map(\.picture) == (0..<20).map { $0 < 15 ? first : second })
    #expect(try photos.find(3)?.picture == first)
    #expect(try photos.query.values(of: "picture", as: Data.self).last == second)
    #expect(try photos.query.distinctValues(of: "picture", as: Data.self).count == 2)
    #expect(try vault.value("SELECT count(DISTINCT picture) FROM Photo", as: Int.self) == 2)
    #expect(
      try vault.value("SELECT max(length(picture)) FROM Photo", as: Int.self) == 64)
  }

  @Test("of ten thousand objects with one megabyte takes the room of one", .covers("X16"))
  func room() throws {
    let picture = Data.picture(7, count: 1 << 20)
    try photos.insert(contentsOf: (0..<10_000).map { Photo("photo \($0)", picture) })
    #expect(try vault.sharedUses == [10_000])
    vault.close()
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: vault.path)[.size] as? Int)
    #expect(size > picture.count && size < 3 << 20, "\(size) bytes")
  }

  @Test("has short contents in their rows")
  func short() throws {
    for count in [0, 1, 31, 32, 33] {
      let content = Data.picture(count, count: count)
      let id = try #require(try photos.insert(Photo("a", content, preview: [])).objectID)
      let found = try #require(try photos.find(id))
      #expect(found.picture == content && found.preview == [], "\(count)")
      #expect(try photos.where("picture == %@", content).count() == 1, "\(count)")
    }
    #expect(try vault.sharedCount == 2)
  }

  @Test("is not left behind by a REPLACE of the application's, which is refused", .covers("X17"))
  func replacedBySQL() throws {
    try photos.insert(contentsOf: [Photo("a", first), Photo("b", second)])
    #expect(
      code { try vault.execute("REPLACE INTO Photo (objectID, name) VALUES (1, 'c')") }
        == .invalidArgument)
    #expect(
      code { try vault.execute(Update("Photo").or(.replace).set("objectID", to: 1).statement) }
        == .invalidArgument)
    #expect(try vault.sharedUses == [1, 1])
  }

  @Test("goes with the last object that has it, however that goes", .covers("X17"))
  func collected() throws {
    func insert() throws -> [Int64] {
      try photos.removeAll()
      #expect(try vault.sharedCount == 0)
      return try photos.insert(contentsOf: [Photo("a", first), Photo("b", first)])
    }
    var ids = try insert()
    try photos.remove(id: ids[0])
    #expect(try vault.sharedUses == [1])
    try photos.remove(id: ids[1])
    #expect(try vault.sharedUses == [])
    _ = try insert()
    try photos.where("name == 'a'").remove()
    #expect(try vault.sharedUses == [1])
    ids = try insert()
    try photos.update(Photo("a", second).with(ids[0]))
    #expect(try vault.sharedUses == [1, 1])
    try photos.save(Photo("b", second).with(ids[1]))
    #expect(try vault.sharedUses == [2])
    #expect(try photos.all().map(\.picture) == [second, second])
    try photos.where("name == 'a'").update(set: ["picture": first])
    #expect(try vault.sharedUses == [1, 1])
    try photos.replace(Photo("c", first).with(ids[1]))
    #expect(try vault.sharedUses == [2])
    try photos.update(Photo("c", second).with(ids[1]), only: "picture")
    #expect(try vault.sharedUses == [1, 1])
    try photos.update(Photo("d", first).with(ids[1]), only: "name")
    #expect(try photos.find(ids[1])?.picture == second)
    try photos.query.update { $0.set("preview", toValueOf: "picture") }
    #expect(try vault.sharedUses == [2, 2])
    try photos.query.update(set: ["preview": nil])
    #expect(try vault.sharedUses == [1, 1])
    #expect(try photos.where("name == 'none'").update(set: ["picture": Data.picture(9)]) == 0)
    #expect(try vault.sharedCount == 2)
    try vault.removeStore(of: Photo.self)
    #expect(try vault.sharedCount == 0)
    #expect(try vault.sharedUses == [])
  }

  @Test("is counted by the triggers of the file, whoever writes", .covers("X17"))
  func otherPrograms() throws {
    try photos.insert(contentsOf: [Photo("a", first), Photo("b", first), Photo("c", second)])
    try vault.execute("DELETE FROM Photo WHERE name = 'a'")
    #expect(try vault.sharedUses == [1, 1])
    try vault.execute(
      "UPDATE Photo SET picture = (SELECT picture FROM Photo WHERE name = 'b') WHERE name = 'c'")
    #expect(try vault.sharedUses == [2])
    #expect(try photos.all().map(\.picture) == [first, first])
    // What is no digest of a content cannot come in.
    let refused = code { try vault.execute("UPDATE Photo SET picture = \(second)") }
    #expect(refused == .constraint)
    #expect(
      code {
        try vault.execute("INSERT INTO Photo (name, picture) VALUES ('d', \(second))")
      } == .constraint)
    #expect(
      code {
        try vault.execute(
          "INSERT INTO Photo (name, picture) VALUES ('d', \(Data.picture(3, count: 32)))")
      } == .constraint)
    let reading = #expect(throws: VaultError.self) {
      _ = try vault.rows("SELECT ov_share(\(Data.picture(4)))")
    }
    #expect(reading?.message.contains("the statement only reads") == true)
    try vault.execute("INSERT INTO Photo (name, picture) VALUES ('d', ov_share(\(second)))")
    #expect(try photos.where("name == 'd'").first()?.picture == second)
    #expect(try vault.sharedUses == [1, 2])
    #expect(
      try photos.objects("SELECT * FROM Photo ORDER BY name DESC").map(\.picture).first == second)
    let row = try #require(try vault.row("SELECT * FROM Photo"))
    #expect(code { _ = try row.object(Photo.self) } == .notLoaded)
    #expect(
      try vault.value("SELECT ov_content(picture) FROM Photo WHERE name = 'd'", as: Data.self)
        == second)
  }

  @Test("comes back with a transaction or a savepoint that is undone")
  func undone() throws {
    struct Stop: Error {}
    try photos.insert(Photo("a", first))
    try? vault.transaction {
      try photos.removeAll()
      try photos.insert(Photo("b", second))
      throw Stop()
    }
    #expect(try vault.sharedUses == [1])
    #expect(try photos.all().map(\.picture) == [first])
    try vault.transaction {
      try? vault.transaction {
        try photos.insert(Photo("b", second))
        throw Stop()
      }
      try photos.insert(Photo("c", first))
    }
    #expect(try vault.sharedUses == [2])
    // What a failed statement stored goes with it, inside of a transaction too.
    let stored = try #require(try photos.first())
    try vault.transaction {
      #expect(code { try photos.insert(Photo("d", second).with(stored.objectID)) } == .duplicate)
      #expect(
        code { _ = try photos.insert(contentsOf: [Photo("e", second), stored]) } == .duplicate)
      #expect(code { try photos.update(Photo("f", second).with(77)) } == .noSuchObject)
    }
    #expect(try vault.sharedUses == [2])
    #expect(try vault.sharedCount == 1)
  }

  @Test("is compared by its digest, which an index serves", .covers("X17"))
  func conditions() throws {
    try photos.insert(contentsOf: [
      Photo("a", first), Photo("b", second, preview: [UInt8](first)), Photo("c", Data([1, 2])),
    ])
    func names(_ format: String, _ arguments: Any?...) throws -> [String] {
      try photos.where(format, arguments: arguments).all().map(\.name)
    }
    #expect(try names("picture == %@", first) == ["a"])
    #expect(try names("picture != %@", first) == ["b", "c"])
    #expect(try names("!(picture == %@)", first) == ["b", "c"])
    #expect(try names("picture == %@", Data([1, 2])) == ["c"])
    #expect(try names("picture == x'0102'") == ["c"])
    #expect(try names("picture IN %@", [second, Data([1, 2])]) == ["b", "c"])
    #expect(try names("NOT picture IN %@", [second, Data([1, 2])]) == ["a"])
    #expect(
      try names("picture IN %@", (0..<1_500).map { Data.picture($0, count: 40) } + [first]) == ["a"]
    )
    #expect(try names("preview == %@", first) == ["b"])
    #expect(try names("preview != %@", first) == ["a", "c"])
    #expect(try names("preview == nil") == ["a", "c"])
    #expect(try names("preview != nil") == ["b"])
    #expect(try names("picture == preview") == [])
    #expect(try names("picture != preview") == ["a", "b", "c"])
    #expect(throws: VaultError.self) { try names("picture > %@", first) }
    #expect(throws: VaultError.self) { try names("picture CONTAINS %@", first) }
    #expect(
      try photos.query.sorted(by: "picture").all().map(\.picture)
        == [first, second, Data([1, 2])].sorted { $0.lexicographicallyPrecedes($1) })
    let counts = try photos.query.grouped(by: "picture").aggregating(.count(as: "n")).rows()
    #expect(counts.count == 3)
  }

  @Test("is no part of keys, references and defined columns, and bytes only")
  func refused() throws {
    func code(_ properties: [PropertyDescription], objectID: [String] = []) -> VaultError.Code? {
      TestSupport.code {
        _ = try vault.store(
          of: ClassDescription("Other", properties: properties, objectID: objectID))
      }
    }
    let data = PropertyDescription("a", type: .data).shared()
    #expect(code([PropertyDescription("a", type: .string).shared()]) == .invalidClass)
    #expect(code([data], objectID: ["a"]) == .invalidClass)
    #expect(code([data.columnDefined(length: .atMost(40))]) == .invalidClass)
    #expect(
      code([
        PropertyDescription(
          "a", type: .data, defaultValue: .blob([UInt8](repeating: 0, count: 32))
        ).shared()
      ]) == .invalidClass)
    #expect(
      code([PropertyDescription("a", type: .data, defaultValue: .blob([7])).shared()]) == nil)
  }

  @Test("is read by handles and transactions beside the one that writes")
  func handles() throws {
    let other = try test.another()
    let others = try other.store(of: Photo.self)
    try photos.insert(Photo("a", first))
    #expect(try others.all().map(\.picture) == [first])
    try vault.transaction {
      try photos.removeAll()
      #expect(try photos.count() == 0)
    }
    try others.insert(Photo("b", first))
    #expect(try vault.sharedUses == [1])
    #expect(try photos.where("picture == %@", first).count() == 1)
  }
}

extension Photo {
  fileprivate func with(_ id: Int64?) -> Photo {
    var other = self
    other.objectID = id
    return other
  }
}
