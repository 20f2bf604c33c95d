import ObjectVaultCore
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

@Suite("Ordered owned objects") struct OrderedTests {
  private let test: TestVault
  private let playlists: ObjectStore<Playlist<InOrder>>
  private let tracks: ObjectStore<PlaylistTrack<InOrder>>

  init() throws {
    test = try TestVault()
    playlists = try test.vault.store(of: Playlist.self)
    tracks = try test.vault.store(of: PlaylistTrack.self)
  }

  private func stored(_ name: String = "a") throws -> Playlist<InOrder> {
    try #require(try playlists.find(name))
  }

  /// The number of rows that `body` writes, counting a row that is inserted and positioned twice.
  private func written(by body: () throws -> Void) throws -> Int64 {
    func count() throws -> Int64 { try test.vault.file().withWriter { Int64($0.changeCount) } }
    let before = try count()
    try body()
    return try count() - before
  }

  @Test("have the order of the array that was saved", .covers("J68"))
  func roundTrip() throws {
    try playlists.insert(contentsOf: [
      Playlist("a", ["c", "a", "d", "b"]), Playlist("b", ["y", "z", "x"]), Playlist("c", []),
    ])
    let expected = [["c", "a", "d", "b"], ["y", "z", "x"], []]
    #expect(try playlists.all().map(\.titles) == expected)
    #expect(try stored().titles == expected[0])
    #expect(try playlists.find(ids: ["b", "a"]).map(\.titles) == [expected[1], expected[0]])
    var walked: [[String]] = []
    try playlists.forEach { walked.append($0.titles) }
    #expect(walked == expected)
    var first = try stored()
    first.tracks?.reverse()
    // The copy in memory has the order too.
    #expect(try playlists.save(first).titles == ["b", "d", "a", "c"])
    #expect(try stored().titles == ["b", "d", "a", "c"])
    #expect(try stored("b").titles == expected[1])
  }

  @Test("are unsound without their trigger, which the next opening creates again")
  func triggerRemoved() throws {
    try playlists.insert(Playlist("a", ["b", "a"]))
    #expect(try test.vault.verify().isSound)
    try test.vault.file().transaction {
      try $0.execute("DROP TRIGGER objectvault_Track_order_playlist")
    }
    let report = try test.vault.verify()
    #expect(report.incompleteOrders == ["Track"] && !report.isSound)
    test.vault.close()
    let again = try test.another()
    _ = try again.store(of: Playlist<InOrder>.self)
    #expect(try again.verify().isSound)
  }

  @Test("are written only if they are new or in another place", .covers("J68"))
  func writes() throws {
    var list = try playlists.insert(Playlist("a", (0..<100).map { "\($0)" }))
    // The owner's row, the new row with its line in the history, and its position.
    list.tracks?.insert(PlaylistTrack("new"), at: 50)
    #expect(try written { list = try playlists.save(list) } == 4)
    list.tracks?.insert(PlaylistTrack("first"), at: 0)
    list.tracks?.append(PlaylistTrack("last"))
    #expect(try written { list = try playlists.save(list) } == 7)
    list.move(80, to: 3)
    #expect(try written { try playlists.save(list) } == 2)
    list.tracks?.removeSubrange(10..<12)
    // The owner, two rows, and two lines of the history.
    #expect(try written { try playlists.save(list) } == 5)
    #expect(try written { try playlists.save(list) } == 1)
    #expect(try stored().tracks == list.tracks)
  }

  @Test("agree with an array after random changes, with few writes", .covers("J68"))
  func model() throws {
    var random = SeededGenerator(for: "ordered lists")
    var lists = try ["a", "b"].map { try playlists.insert(Playlist<InOrder>($0, [])) }
    var (changes, writes) = (0, Int64(0))
    for round in 0..<300 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0...1, using: &random)
        let count = lists[index].tracks?.count ?? 0
        let place = Int.random(in: 0...count, using: &random)
        changes += 1
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: lists[index].tracks?.insert(PlaylistTrack("\(round)"), at: place)
        case 5..<7 where count > 1:
          lists[index].move(place % count, to: Int.random(in: 0..<count, using: &random))
        case 7 where count > 0:
          if let moved = lists[index].tracks?.remove(at: place % count) {
            let others = lists[1 - index].tracks?.count ?? 0
            lists[1 - index].tracks?.insert(moved, at: Int.random(in: 0...others, using: &random))
          }
        case 8 where count > 0: lists[index].tracks?.remove(at: place % count)
        default: changes -= 1
        }
      }
      writes += try written { try playlists.save(contentsOf: lists) } - 2
      #expect(try playlists.all() == playlists.find(ids: ["a", "b"]))
      let found = try playlists.all()
      #expect(found.map(\.titles) == lists.map(\.titles))
      lists = found
    }
    // At most a row, its line in the history, its removed and its new position.
    #expect(writes <= changes * 4, "\(writes) writes for \(changes) changes")
  }

  @Test("need few writes even if all are inserted at one place", .covers("J68"))
  func onePlace() throws {
    var list = try playlists.insert(Playlist("a", ["first", "last"]))
    let inserted = 600
    let writes = try written {
      for number in 0..<inserted {
        list.tracks?.insert(PlaylistTrack("\(number)"), at: 1)
        list = try playlists.save(list)
      }
    }
    #expect(try stored().titles == ["first"] + (0..<inserted).reversed().map { "\($0)" } + ["last"])
    // The owner, the row, its line in the history and its position, and room for it now and then.
    #expect(writes < Int64(inserted * 6), "\(writes)")
  }

  @Test("have their positions computed for any stored positions", .covers("J68"))
  func gaps() {
    var random = SeededGenerator(for: "gaps of lists")
    for _ in 0..<3000 {
      let count = Int.random(in: 0...12, using: &random)
      let scale: Int64 = [3, 40, Int64.max].randomElement(using: &random) ?? 3
      let before: [Int64?] = (0..<count).map { _ in
        Bool.random(using: &random) ? nil : Int64.random(in: (-scale)...scale, using: &random)
      }
      var gaps = ListGaps(before)
      gaps.fill()
      let after = gaps.positions.compactMap { $0 }
      #expect(after.count == count && zip(after, after.dropFirst()).allSatisfy { $0 < $1 })
      let changed = before.indices.filter { before[$0] != after[$0] }
      #expect(Set(changed).isSubset(of: gaps.changed))
    }
  }

  @Test("come last if they are stored or moved without their owner", .covers("J69"))
  func withoutOwner() throws {
    try playlists.insert(contentsOf: [Playlist("a", ["b", "a"]), Playlist("b", ["z", "y", "x"])])
    try tracks.insert(contentsOf: ["2", "1"].map { PlaylistTrack($0, in: "a") })
    #expect(try stored().titles == ["b", "a", "2", "1"])
    var moved = try #require(try tracks.where("title == 'y'").first())
    moved.playlist = Ref(id: "a")
    try tracks.update(moved)
    try tracks.where("title == 'z'").update(set: ["playlist": "a"])
    #expect(try stored().titles == ["b", "a", "z", "y", "2", "1"])
    #expect(try stored("b").titles == ["x"])
    // Back in the first list, it has lost its place there too.
    moved.playlist = Ref(id: "b")
    try tracks.update(moved)
    #expect(try stored("b").titles == ["x", "y"])
    var list = try stored()
    list.tracks?.swapAt(0, 4)
    try playlists.save(list)
    #expect(try stored() == list)
  }

  @Test("retain their order if the owner's object ID or theirs changes, or one is replaced")
  func changedIDs() throws {
    try checkChangedIDs(InOrder.self)
    // Without a history, the class has no triggers of the library but that of its order.
    try checkChangedIDs(InOrderWithoutHistory.self)
  }

  private func checkChangedIDs<Version: Ordering>(_: Version.Type) throws {
    let test = try TestVault()
    let playlists = try test.vault.store(of: Playlist<Version>.self)
    let tracks = try test.vault.store(of: PlaylistTrack<Version>.self)
    try playlists.insert(Playlist("a", ["b", "a", "c"]))
    try playlists.changeID(of: "a", to: "renamed")
    try tracks.changeID(of: 3, to: 99)
    try tracks.replace(try #require(try tracks.find(1)))
    let list = try #require(try playlists.find("renamed"))
    #expect(list.titles == ["b", "a", "c"])
  }

  @Test("can be in several lists by different references")
  func severalLists() throws {
    var list = try playlists.insert(Playlist("a", ["b", "a", "c"]))
    list.queue = (list.tracks ?? []).reversed().map {
      var track = $0
      track.queued = Ref(id: "a")
      return track
    }
    list.tracks = nil
    try playlists.save(list)
    var found = try stored()
    #expect(found.titles == ["b", "a", "c"] && found.queue?.map(\.title) == ["c", "a", "b"])
    found.queue = nil
    found.tracks?.reverse()
    try playlists.save(found)
    found = try stored()
    #expect(found.titles == ["c", "a", "b"] && found.queue?.map(\.title) == ["c", "a", "b"])
  }

  @Test("stay if only one of several lists loses them, and are deleted if all do", .covers("J56"))
  func removedFromOneList() throws {
    var list = try playlists.insert(Playlist("a", ["b", "a", "c"]))
    list.queue = list.tracks
    // The copies in the first list refer to the second one too.
    list = try playlists.save(list)
    #expect(try stored() == list)
    list.queue?.remove(at: 1)
    list.tracks?.remove(at: 0)
    list = try playlists.save(list)
    var found = try stored()
    #expect(found == list)
    #expect(found.titles == ["a", "c"] && found.queue?.map(\.title) == ["b", "c"])
    #expect(try tracks.where("playlist == nil").values(of: "title", as: String.self) == ["b"])
    #expect(try tracks.where("queued == nil").values(of: "title", as: String.self) == ["a"])
    found.tracks?.removeLast()
    found.queue?.removeLast()
    try playlists.save(found)
    #expect(try tracks.count() == 2)
    #expect(try stored().titles == ["a"] && stored().queue?.map(\.title) == ["b"])
  }

  @Test("with different values in two lists are rejected, and nothing is stored", .covers("J56"))
  func differentCopies() throws {
    var list = try playlists.insert(Playlist("a", ["b", "a"]))
    list.queue = list.tracks
    list = try playlists.save(list)
    list.tracks?[0].title = "new"
    let text = message { try playlists.save(list) }
    #expect(text.contains("'tracks' and 'queue'"))
    #expect(code { try playlists.update(list) } == .ownership)
    #expect(try stored().titles == ["b", "a"])
    list.queue?[0].title = "new"
    try playlists.save(list)
    #expect(try stored().titles == ["new", "a"] && stored().queue?.map(\.title) == ["new", "a"])
    // The other list is left alone, and so are its copies.
    list.queue = nil
    list.tracks?[0].title = "newer"
    try playlists.save(list)
    #expect(try stored().queue?.map(\.title) == ["newer", "a"])
  }

  @Test("of unchanged lists are left alone by an update of what was changed", .covers("A16"))
  func unchangedList() throws {
    var list = try playlists.insert(Playlist("a", ["b", "a"]))
    list.queue = [PlaylistTrack("q"), PlaylistTrack("r")]
    list = try playlists.save(list)
    let snapshot = try ObjectSnapshot(of: list)
    try tracks.insert(PlaylistTrack("theirs", in: "a"))
    list.queue?.removeLast()
    #expect(try playlists.updateChanges(of: list, since: snapshot) == ["queue"])
    #expect(try stored().titles == ["b", "a", "theirs"])
    #expect(try stored().queue?.map(\.title) == ["q"])
    // An object that only the changed list loses stays in the other one.
    list = try stored()
    list.queue = list.tracks
    list = try playlists.save(list)
    let before = try ObjectSnapshot(of: list)
    list.queue = []
    #expect(try playlists.updateChanges(of: &list, since: before) == ["queue"])
    #expect(try stored() == list)
    #expect(list.titles == ["b", "a", "theirs"])
  }

  @Test("are the same after a move that was rolled back")
  func rollback() throws {
    var list = try playlists.insert(Playlist("a", ["b", "a", "c"]))
    let before = list
    list.tracks?.reverse()
    list.tracks?.append(PlaylistTrack("d"))
    _ = try? test.vault.transaction {
      try playlists.save(list)
      throw CancellationError()
    }
    #expect(try stored().tracks == before.tracks)
  }

  @Test("are counted, planned and removed like others, and a history records no move")
  func otherOperations() throws {
    var list = try playlists.insert(Playlist("a", ["b", "a", "c"]))
    let snapshot = try ObjectSnapshot(of: list)
    list.tracks?.swapAt(0, 2)
    let position = try test.vault.historyPosition()
    #expect(try playlists.updateChanges(of: list, since: snapshot) == ["tracks"])
    #expect(try stored().titles == ["c", "a", "b"])
    #expect(try test.vault.historyPosition() == position)
    #expect(try playlists.where("tracks.@count == 3 && ANY tracks.title == 'a'").count() == 1)
    #expect(try playlists.query.deletionPlan().removed == 4)
    try playlists.removeAll()
    #expect(try tracks.count() == 0)
  }

  @Test("that move are a change of their owner for observers")
  func observed() async throws {
    try await playlists.insert(Playlist("a", ["b", "a", "c"]))
    var changes = playlists.observeChanges().makeAsyncIterator()
    var list = try #require(try await changes.next()?.objects.first)
    list.tracks?.swapAt(0, 2)
    try await playlists.save(list)
    let change = try #require(try await changes.next())
    #expect(change.changed.map(\.position) == [0] && change.objects == [list])
  }

  @Test("that are new are only in the lists that have them, whatever they refer to")
  func newCopies() throws {
    try playlists.insert(Playlist("a", ["b"]))
    for isQueued in [true, false] {
      var list = try stored()
      var copy = PlaylistTrack<InOrder>("copy", in: "a")
      copy.queued = Ref(id: "a")
      if isQueued { list.queue?.append(copy) } else { list.tracks?.append(copy) }
      list = try playlists.save(list)
      #expect(try stored() == list)
    }
    #expect(try stored().titles == ["b", "copy"])
    #expect(try stored().queue?.map(\.title) == ["copy"])
    #expect(try tracks.count() == 3)
  }

  @Test("stay if an owned object is removed that has them too")
  func ownerRemoved() throws {
    let tapes = try test.vault.store(of: Mixtape.self)
    let songs = try test.vault.store(of: MixSong.self)
    try tapes.insert(
      Mixtape("a", songs: [MixSong("x")], sides: [MixSide("A", songs: [MixSong("y")])]))
    var tape = try #require(try tapes.find("a"))
    let song = try #require(tape.songs?.first)
    tape.sides?[0].songs?.append(song)
    try tapes.save(tape)
    tape = try #require(try tapes.find("a"))
    #expect(tape.sides?[0].songs?.map(\.title) == ["y", "x"])
    tape.sides = []
    try tapes.save(tape)
    tape = try #require(try tapes.find("a"))
    #expect(tape.songs?.map(\.title) == ["x"] && tape.sides == [])
    #expect(try songs.all().map(\.side) == [nil])
  }
}
