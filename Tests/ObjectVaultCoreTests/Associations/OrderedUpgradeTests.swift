import ObjectVaultCore
import ObjectVaultFile
import ObjectVaultMaintenance
import TestSupport
import Testing

@Suite("An upgrade of ordered owned objects") struct OrderedUpgradeTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("music.vault")
  }

  @discardableResult
  private func opened<R>(
    _ configuration: VaultConfiguration = VaultConfiguration(), _ body: (Vault) throws -> R
  ) throws -> R {
    let vault = try Vault(at: path, key: .ofTests, configuration: configuration)
    defer { vault.close() }
    return try body(vault)
  }

  private func titles<V: Ordering>(_ type: V.Type) throws -> [String] {
    try opened { try $0.store(of: Playlist<V>.self).find("a")?.titles ?? [] }
  }

  private func expect<V: Ordering>(_ expected: [String], _ type: V.Type) throws {
    let found = try titles(type)
    #expect(found == expected)
  }

  private func change<V: Ordering>(
    _ type: V.Type, _ body: (inout Playlist<V>) -> Void
  ) throws {
    try opened { vault in
      let playlists = try vault.store(of: Playlist<V>.self)
      var list = try #require(try playlists.find("a"))
      body(&list)
      try playlists.save(list)
    }
  }

  private func columns(_ vault: Vault) throws -> [String] {
    try vault.rows("PRAGMA table_info(\"Track\")").map { try $0.value(at: 1, as: String.self) }
  }

  private func triggers(_ vault: Vault) throws -> [String] {
    try vault.rows(
      "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_order_%' ORDER BY name"
    ).map { try $0.value(at: 0, as: String.self) }
  }

  @Test("begins with the order of the object IDs, and back to it", .covers("J70"))
  func thereAndBack() throws {
    let before = try opened {
      try $0.store(of: Playlist<WithoutOrder>.self).insert(Playlist("a", ["b", "c", "a"]))
      return try triggers($0)
    }
    #expect(before == [])
    try expect(["b", "c", "a"], InOrder.self)
    try change(InOrder.self) { $0.tracks?.insert(PlaylistTrack("0"), at: 0) }
    try expect(["0", "b", "c", "a"], InOrder.self)
    // The positions of a list that no class orders are removed; the column remains.
    try expect(["b", "c", "a", "0"], WithoutOrder.self)
    let (names, removed) = try opened { (try triggers($0), try columns($0).suffix(2)) }
    #expect(names == [] && removed == ["ov_order_playlist", "ov_order_queued"])
    try expect(["b", "c", "a", "0"], InOrder.self)
    let (restored, dropped) = try opened {
      (try triggers($0), try $0.store(of: PlaylistTrack<InOrder>.self).dropRemovedProperties())
    }
    #expect(restored == ["objectvault_Track_order_playlist", "objectvault_Track_order_queued"])
    #expect(dropped == [])
    let (gone, left) = try opened {
      (try $0.store(of: PlaylistTrack<WithoutOrder>.self).dropRemovedProperties(), try columns($0))
    }
    #expect(gone == ["ov_order_playlist", "ov_order_queued"])
    #expect(left == ["objectID", "title", "playlist", "queued"])
    try change(WithoutOrder.self) { $0.tracks?.removeFirst() }
    try change(InOrder.self) { $0.tracks?.reverse() }
    try expect(["0", "a", "c"], InOrder.self)
  }

  @Test("is required before an older file is read in order")
  func readOnly() throws {
    try opened {
      try $0.store(of: Playlist<WithoutOrder>.self).insert(Playlist("a", ["b", "c", "a"]))
    }
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    #expect(
      code {
        try opened(configuration) { _ = try $0.store(of: Playlist<InOrder>.self) }
      } == .schemaMismatch)
    try change(InOrder.self) { $0.tracks?.reverse() }
    let found = try opened(configuration) { try $0.store(of: Playlist<InOrder>.self).find("a") }
    #expect(found?.titles == ["a", "c", "b"])
  }

  @Test("moves the positions with a renamed reference, table or owner", .covers("J70"))
  func renamed() throws {
    try opened {
      try $0.store(of: Playlist<InOrder>.self).insert(Playlist("a", ["b", "c", "a"]))
    }
    try change(InOrder.self) { $0.tracks?.reverse() }
    var track = PlaylistTrack<InOrder>.classDescription
    var playlist = Playlist<InOrder>.classDescription
    track.properties[1].renamedFrom = ["playlist"]
    track.properties[1].name = "list"
    track.properties[1].column = "list"
    track.references[0].name = "list"
    track.references[0].properties = ["list"]
    (track.table, track.name, track.renamedFrom) = ("Song", "Song", ["Track"])
    (playlist.table, playlist.name, playlist.renamedFrom) = ("List", "List", ["Playlist"])
    for index in 0..<2 {
      playlist.owned[index].target = "Song"
      track.references[index].target = "List"
    }
    playlist.owned[0].reference = "list"
    try opened { vault in
      _ = try vault.store(of: playlist, with: [track])
      let tracks = try vault.store(of: track, with: [playlist])
      func listed() throws -> [String] {
        try vault.rows(
          "SELECT title FROM Song WHERE list = 'a' ORDER BY ov_order_list IS NULL, ov_order_list"
        ).map { try $0.value(at: 0, as: String.self) }
      }
      #expect(try listed() == ["a", "c", "b"])
      #expect(
        try triggers(vault) == ["objectvault_Song_order_list", "objectvault_Song_order_queued"])
      try vault.execute("INSERT INTO List(name) VALUES('b')")
      try vault.execute("UPDATE Song SET list = 'b' WHERE title = 'a'")
      try vault.execute("UPDATE Song SET list = 'a' WHERE title = 'a'")
      #expect(try listed() == ["c", "b", "a"])
      #expect(try tracks.count() == 3)
    }
  }

  @Test("renames the owner without the class of its objects", .covers("J70"))
  func renamedOwner() throws {
    try opened {
      try $0.store(of: Playlist<InOrder>.self).insert(Playlist("a", ["b", "c", "a"]))
    }
    try change(InOrder.self) { $0.tracks?.reverse() }
    var playlist = Playlist<InOrder>.classDescription
    (playlist.table, playlist.name, playlist.renamedFrom) = ("List", "List", ["Playlist"])
    try opened { vault in
      _ = try vault.store(of: playlist)
      func listed() throws -> [String] {
        try vault.rows(
          """
          SELECT title FROM Track WHERE playlist = 'a' \
          ORDER BY ov_order_playlist IS NULL, ov_order_playlist
          """
        ).map { try $0.value(at: 0, as: String.self) }
      }
      #expect(try listed() == ["a", "c", "b"])
      #expect(
        try triggers(vault)
          == ["objectvault_Track_order_playlist", "objectvault_Track_order_queued"])
      try vault.execute("INSERT INTO List(name) VALUES('b')")
      try vault.execute("UPDATE Track SET playlist = 'b' WHERE title = 'a'")
      try vault.execute("UPDATE Track SET playlist = 'a' WHERE title = 'a'")
      #expect(try listed() == ["c", "b", "a"])
    }
  }

  @Test(
    "moves the positions if the class of the objects is renamed, or its reference, without the owner",
    .covers("J70"), arguments: [false, true])
  func renamedObjects(isReference: Bool) throws {
    try opened {
      try $0.store(of: Playlist<InOrder>.self).insert(Playlist("a", ["b", "c", "a"]))
    }
    try change(InOrder.self) { $0.tracks?.reverse() }
    var track = PlaylistTrack<InOrder>.classDescription
    var playlist = Playlist<InOrder>.classDescription
    let column: String
    if isReference {
      column = "list"
      track.properties[1].renamedFrom = ["playlist"]
      track.properties[1].name = column
      track.properties[1].column = column
      track.references[0].name = column
      track.references[0].properties = [column]
      playlist.owned[0].reference = column
    } else {
      column = "playlist"
      (track.table, track.name, track.renamedFrom) = ("Song", "Song", ["Track"])
      for index in 0..<2 { playlist.owned[index].target = "Song" }
    }
    func listed(_ vault: Vault) throws -> [String] {
      let sql =
        "SELECT title FROM \"\(track.table)\" WHERE \"\(column)\" = 'a' "
        + "ORDER BY \"ov_order_\(column)\" IS NULL, \"ov_order_\(column)\""
      return try vault.rows(SQLStatement(stringLiteral: sql)).map {
        try $0.value(at: 0, as: String.self)
      }
    }
    try opened { vault in
      _ = try vault.store(of: track)
      #expect(try listed(vault) == ["a", "c", "b"])
      #expect(
        try triggers(vault)
          == [column, "queued"].map { "objectvault_\(track.table)_order_\($0)" })
    }
    // Another change of the class alone, and then the owner.
    track.properties.append(PropertyDescription("note", String?.self))
    for companions in [[], [playlist]] {
      try opened { vault in
        let tracks = try vault.store(of: track, with: companions)
        #expect(try listed(vault) == ["a", "c", "b"])
        #expect(try tracks.count() == 3)
        #expect(try triggers(vault).count == 2)
      }
    }
  }

  @Test("rejects two orders whose references begin with the same column") func sharedColumn() throws
  {
    func owner(_ name: String) -> ClassDescription {
      ClassDescription(
        name, properties: [.init("tenant", String.self), .init("id", String.self)],
        objectID: ["tenant", "id"],
        owned: [OwnedDescription("cards", target: "Card", reference: "in\(name)", ordered: true)])
    }
    let card = ClassDescription(
      "Card",
      properties: [
        .init("tenant", String.self), .init("list", String.self), .init("board", String.self),
      ],
      references: ["List", "Board"].map {
        ReferenceDescription(
          "in\($0)", properties: ["tenant", $0.lowercased()], target: $0,
          targetColumns: ["tenant", "id"], onDelete: .cascade)
      })
    let (list, board) = (owner("List"), owner("Board"))
    var unordered = board
    unordered.owned[0].isOrdered = false
    try opened { vault in
      #expect(code { _ = try vault.store(of: list, with: [board, card]) } == .invalidClass)
      #expect(try vault.rows("SELECT name FROM sqlite_master WHERE name = 'Card'").isEmpty)
      _ = try vault.store(of: list, with: [unordered, card])
    }
    try opened { vault in
      let error = #expect(throws: VaultError.self) { _ = try vault.store(of: board) }
      #expect(error?.code == .invalidClass)
      #expect(error?.message.contains("'List'") == true, "\(error?.message ?? "")")
      let found = try triggers(vault)
      #expect(found == ["objectvault_Card_order_tenant"])
    }
  }

  @Test("is not needed for copies, transfers, rekeyed and salvaged files")
  func files() throws {
    try opened {
      try $0.store(of: Playlist<InOrder>.self).insert(Playlist("a", ["b", "c", "a"]))
    }
    try change(InOrder.self) { $0.tracks?.reverse() }
    try opened { vault in
      try vault.rekey(to: .ofTests)
      try vault.backup(to: folder.file("copy.vault"))
    }
    try expect(["a", "c", "b"], InOrder.self)
    _ = try DatabaseFile(at: path, key: .ofTests).salvage(to: folder.file("new.vault"))
    try opened { vault in
      let target = try Vault(at: folder.file("other.vault"), key: .ofTests)
      try ObjectTransfer(from: vault, to: target).run()
      target.close()
    }
    for name in ["copy.vault", "new.vault", "other.vault"] {
      let vault = try Vault(at: folder.file(name), key: .ofTests)
      let playlists = try vault.store(of: Playlist<InOrder>.self)
      #expect(try playlists.find("a")?.titles == ["a", "c", "b"])
      #expect(try triggers(vault).count == 2)
      vault.close()
    }
  }

  @Test("rejects an order of a single object, and one in addition to properties")
  func wrongUse() throws {
    try opened { vault in
      for owned in [
        OwnedDescription("x", target: "Track", reference: "playlist", isMany: false, ordered: true),
        OwnedDescription(
          "x", target: "Track", reference: "playlist", sortedBy: ["title"], ordered: true),
      ] {
        var playlist = Playlist<InOrder>.classDescription
        playlist.owned = [owned]
        #expect(
          code {
            _ = try vault.store(of: playlist, with: [PlaylistTrack<InOrder>.classDescription])
          } == .invalidClass)
      }
    }
  }
}
