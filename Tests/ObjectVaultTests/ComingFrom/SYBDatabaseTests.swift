import Foundation
import ObjectVault
import TestSupport
import Testing

/// The Swift of the page, line by line as it stands there.
@Suite("The page for those who come from SYBDatabase") struct ComingFromSYBDatabaseTests {
  @Stored
  struct Song {
    var name: String
    var value: Double = 0
    var tags: [String] = []
  }

  private let temporary: TemporaryFolder
  private let key = VaultKey.raw(1...32)

  init() throws { temporary = try TemporaryFolder() }

  @Test("says what runs")
  func runs() throws {
    let folder = temporary.url
    let vault = try Vault(named: "MyDatabase", in: folder, key: key)
    let songs = try vault.store(of: Song.self)
    let first = try songs.insert(Song(name: "obj_1"))
    try songs.insert(contentsOf: (2..<50).map { Song(name: "obj_\($0)", value: Double($0)) })
    let found = try songs.where("name BEGINSWITH 'obj' && value >= %@", 12)
      .sorted(by: ["name", "value"], ascending: false).range(offset: 3, length: 20).all()
    let tagged = try songs.where("tags == %@", ["array1", "array2"]).all()
    if let id = first.objectID { try songs.remove(id: id) }
    #expect(found.count == 20 && found.first?.name == "obj_46")
    #expect(tagged.isEmpty)
    #expect(try songs.count() == 48)
    let registration = vault.onEvent { event in
      if case .storeRemoved(let name) = event { print("\(name) is gone") }
    }
    try vault.removeStore(of: Song.self)
    registration.cancel()
    #expect(throws: VaultError.self) { try songs.count() }
    try vault.removeFile()
    #expect(throws: VaultError.self) { try vault.store(of: Song.self) }
  }

  @Test("holds no line that is not here")
  func whole() throws {
    #expect(try GuideSnippets.missing("Guides/ComingFromSYBDatabase.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/ComingFromSYBDatabase.md").count > 15)
  }
}
