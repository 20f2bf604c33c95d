import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import Testing
import TestSupport

@Suite("A salvage of a class that is searched for words")
struct SalvageSearchTests {
  private let folder: TemporaryFolder
  private let path: String
  private let new: String
  private let key = VaultKey.raw([UInt8](repeating: 7, count: 32))
  private static let count = 1500

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("pages.vault")
    new = folder.file("new.vault")
  }

  private func description(_ kind: SearchKind) -> ClassDescription {
    .pages(kind.of(["title", "body"]))
  }

  private func made(_ kind: SearchKind) throws {
    let vault = try Vault(at: path, key: key)
    let store = try vault.store(of: description(kind))
    try store.insert(
      contentsOf: (1...Self.count).map { number in
        try page(number, of: description(kind))
      })
    vault.close()
  }

  private func page(_ number: Int, of description: ClassDescription) throws -> DynamicObject {
    var page = try DynamicObject(of: description)
    try page.set("title", to: .text("title w\(number)e"))
    try page.set("body", to: .text("many words v\(number)e u\(number * 7) on page \(number)"))
    try page.set("number", to: .integer(Int64(number)))
    return page
  }

  /// Changes a byte of each page of which the condition holds.
  private func damage(_ isMeant: (UInt32, PageOwner) -> Bool) throws -> Int {
    let pages = try storedPages(path, key)
    let owners = try PageOwners(pages)
    let meant = (1...pages.count).filter { isMeant($0, owners.owner(of: $0)) }
    var data = try bytes(path)
    for page in meant { data[(Int(page) - 1) * 4096 + 777] ^= 1 }
    try write(data, to: path)
    return meant.count
  }

  private func isOfIndex(_ owner: PageOwner) -> Bool {
    switch owner {
    case .objects(let name), .index(_, let name): name.hasPrefix("objectvault_Page_search")
    default: false
    }
  }

  private func salvaged() throws -> SalvageReport {
    try DatabaseFile(at: path, key: key).salvage(to: new)
  }

  /// Sees that the new vault finds the objects that it has, by their words.
  private func check(_ kind: SearchKind) throws -> Int {
    let vault = try Vault(at: new, key: key)
    defer { vault.close() }
    let store = try vault.store(of: description(kind))
    #expect(try store.isSearchSound())
    let numbers = try Set(store.all().map { try $0.value(of: "number") })
    for number in 1...Self.count where number.isMultiple(of: 50) {
      let isThere = numbers.contains(.integer(Int64(number)))
      #expect(try store.search("v\(number)e w\(number)e").count() == (isThere ? 1 : 0))
    }
    try store.insert(page(1, of: description(kind)))
    #expect(try store.isSearchSound())
    #expect(try vault.verify().isSound)
    return numbers.count
  }

  @Test("makes its index anew, and names no table of it", arguments: SearchKind.all)
  func whole(_ kind: SearchKind) throws {
    try made(kind)
    let report = try salvaged()
    #expect(report.isWhole, "\(report)")
    #expect(report.tables.filter { $0.table.contains("search") }.isEmpty)
    #expect(try check(kind) == Self.count)
  }

  @Test("loses nothing where its index is damaged", arguments: SearchKind.all)
  func damagedIndex(_ kind: SearchKind) throws {
    try made(kind)
    #expect(try damage { _, owner in isOfIndex(owner) } > 5)
    let report = try salvaged()
    #expect(report.tables.filter { !$0.isWhole } == [])
    #expect(report.tables.filter { $0.table.contains("search") }.isEmpty)
    #expect(report.notRestored == [])
    #expect(try check(kind) == Self.count)
  }

  @Test("finds by words what is left where objects are lost", arguments: SearchKind.all)
  func damagedObjects(_ kind: SearchKind) throws {
    try made(kind)
    var count = 0
    #expect(
      try damage { _, owner in
        if owner == .objects(of: "Page") { count += 1 }
        return owner == .objects(of: "Page") && count == 5
      } == 1)
    let report = try salvaged()
    #expect(report.tables.filter { !$0.isWhole }.map(\.name) == ["Page"])
    #expect(report.notRestored == [])
    let left = try check(kind)
    #expect(left < Self.count && left > Self.count / 2)
  }

  @Test("makes it of the classes too, where the list of tables is lost")
  func lostSchema() throws {
    try made(SearchKind())
    #expect(try damage { page, _ in page == 1 } == 1)
    let report = try salvaged()
    #expect(report.schema == .classes)
    #expect(try check(SearchKind()) == Self.count)
  }

  @Test("makes those of several classes, where the list of tables is lost")
  func severalLost() throws {
    let classes = ["Page", "Sheet"].map { name in
      var made = description(SearchKind())
      (made.name, made.table) = (name, name)
      return made
    }
    do {
      let vault = try Vault(at: path, key: key)
      defer { vault.close() }
      for description in classes {
        try vault.store(of: description).insert(page(7, of: description))
      }
    }
    #expect(try damage { page, _ in page == 1 } == 1)
    let report = try salvaged()
    #expect(report.schema == .classes && report.notRestored == [])
    let vault = try Vault(at: new, key: key)
    defer { vault.close() }
    for description in classes {
      let store = try vault.store(of: description)
      #expect(try store.search("v7e").count() == 1)
      #expect(try store.isSearchSound())
    }
  }
}
