import Foundation
import ObjectVaultCore
import Testing
import TestSupport

@testable import ObjectVaultStores

/// Read scopes that keep objects: which stores and objectIDs take part, and what is still refused.
@Suite("Kept objects") struct KeptObjectsTests {
  private let test: TestVault
  private let vault: Vault

  init() throws {
    test = try TestVault()
    vault = test.vault
  }

  @Test("are found by text, and texts with other bytes are others")
  func text() throws {
    let words = try vault.store(of: Word.self)
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    try words.insert(contentsOf: [composed, decomposed, "tea"].map { Word($0) })
    try vault.read(caching: .objects(10)) {
      let first = try #require(try words.find(composed))
      #expect(try words.find(composed) === first)
      let second = try #require(try words.find(decomposed))
      #expect(first !== second && Array(second.text.utf8) == Array(decomposed.utf8))
      let all = try words.all()
      #expect(all[0] === first && all[1] === second)
      #expect(try words.find("tea") === all[2])
      #expect(
        try words.find(ids: ["tea", composed]).map { ObjectIdentifier($0) }
          == [all[2], first].map { ObjectIdentifier($0) })
    }
  }

  @Test("are no two rows that are read as one objectID")
  func alikeRows() throws {
    let (words, tokens) = (try vault.store(of: Word.self), try vault.store(of: Token.self))
    let id = UUID()
    // What other programs may have written: bytes that are no UTF-8, and a UUID in lower case.
    try vault.execute(
      "INSERT INTO \(Word.self) VALUES (CAST(x'ff' AS TEXT)), (CAST(x'fe' AS TEXT)), ('\u{fffd}')")
    try tokens.insert(Token(id))
    try vault.execute("INSERT INTO \(Token.self) VALUES (\(id.uuidString.lowercased()))")
    try vault.read(caching: .objects(10)) {
      let all = try words.all()
      #expect(Set(all.map { ObjectIdentifier($0) }).count == 3)
      #expect(try words.find("\u{fffd}") === all[2])
      let both = try tokens.all()
      #expect(both[0] !== both[1] && both[0].id == both[1].id)
      #expect(try tokens.find(id) === both[0])
    }
  }

  @Test("with owned objects are kept if their object ID is their first column")
  func boundNumbers() throws {
    let shelves = try vault.store(of: Shelf.self)
    try shelves.insert(contentsOf: [Shelf(7, [Box()]), Shelf(9, [])])
    try vault.read(caching: .objects(10)) {
      let all = try shelves.all()
      #expect(all.map { $0.boxes?.count } == [1, 0])
      let again = try shelves.all()
      #expect(again[0] === all[0] && again[1] === all[1])
      #expect(try shelves.find(9) === all[1])
    }
  }

  @Test("are found by UUIDs and by objectIDs of several parts")
  func otherIDs() throws {
    let (tokens, seats) = (try vault.store(of: Token.self), try vault.store(of: Seat.self))
    let ids = (0..<3).map { _ in UUID() }
    try tokens.insert(contentsOf: ids.map { Token($0) })
    try seats.insert(contentsOf: (1...3).map { Seat(hall: "A", number: $0, guest: "g\($0)") })
    try vault.read(caching: .objects(10)) {
      let token = try tokens.find(ids[1])
      #expect(try tokens.find(ids[1]) === token && token?.id == ids[1])
      #expect(try tokens.all()[1] === token)
      let seat = Seat.ID(hall: "A", number: 2)
      #expect(try seats.find(seat)?.guest == "g2")
      let reads = ObservedReads()
      let found = try seats.read { connection in
        try connection.observing(reads) { try seats.find(seat) }
      }
      #expect(found?.guest == "g2")
      #expect(reads.tables.isEmpty)
      #expect(try seats.all().map(\.guest) == ["g1", "g2", "g3"])
      #expect(try seats.find(Seat.ID(hall: "B", number: 2)) == nil)
    }
  }

  @Test("of a Swift type and of one described at run time stand beside one another")
  func dynamic() throws {
    let people = try vault.store(of: Person.self)
    try people.insert(Person(name: "Li", age: 7))
    let records = try vault.store(named: "Person")
    let id = DynamicObjectID(.integer(1))
    try vault.read(caching: .objects(10)) { () throws in
      for _ in 0..<2 {
        #expect(try people.find(1)?.name == "Li")
        #expect(try records.find(id)?.value(of: "name") == .text("Li"))
      }
      #expect(try records.all() == [records.find(id)])
      // A part of an object is none.
      #expect(try records.query.all(only: "age")[0].isLoaded("name") == false)
      #expect(try records.find(id)?.isLoaded("name") == true)
      #expect(code { _ = try records.find(DynamicObjectID([])) } == .invalidArgument)
    }
  }

  @Test("are neither given to a partition nor taken from one")
  func partitions() throws {
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(contentsOf: [Account(owner: "a"), Account(owner: "b")])
    let mine = try accounts.partition("owner", is: "a")
    try vault.read(caching: .objects(10)) {
      let both = try accounts.all()
      #expect(try mine.find(2) == nil)
      #expect(try mine.find(ids: [1, 2]).map(\.owner) == ["a"])
      #expect(try mine.find(1) !== both[0])
      #expect(try accounts.find(1) === both[0])
      #expect(try mine.all()[0] !== both[0])
    }
  }

  @Test("have the objects that belong to them, or are not kept")
  func owned() throws {
    let (albums, songs) = (try vault.store(of: Album.self), try vault.store(of: Song.self))
    try albums.insert(contentsOf: [Album([Song("a"), Song("b")]), Album([])])
    try vault.read(caching: .objects(100)) {
      #expect(try albums.withoutOwned().find(1)?.songs == nil)
      let album = try #require(try albums.find(1))
      #expect(album.songs?.map(\.title) == ["a", "b"])
      #expect(try albums.find(1) === album)
      let all = try albums.all()
      #expect(all[0] === album)
      #expect(try albums.find(2) === all[1] && all[1].songs?.isEmpty == true)
      #expect(
        try albums.find(ids: [2, 1]).map { ObjectIdentifier($0) }
          == [all[1], album].map { ObjectIdentifier($0) })
      let cursor = try albums.query.cursor()
      #expect(try cursor.next() === album)
      #expect(try albums.withoutOwned().find(1)?.songs == nil)
      #expect(try albums.withoutOwned().first()?.songs == nil)
      // What belongs to an album is the album's, whatever became of the same song elsewhere.
      try songs.find(1)?.album = nil
      #expect(try songs.find(1)?.album == nil)
      album.songs = []
      #expect(try albums.first()?.songs?.isEmpty == true)
    }
    try vault.read(caching: .objects(100)) {
      try songs.find(1)?.album = nil
      #expect(try albums.find(1)?.songs?.map(\.title) == ["a", "b"])
    }
    let grades = try vault.store(of: GradeLevel.self)
    try grades.insert(GradeLevel("1", classes: [SchoolClass("1a", pupils: [Human("Li")])]))
    try vault.read(caching: .objects(100)) {
      let grade = try grades.find("1")
      #expect(try grades.find("1") == grade && grade?.classes?[0].pupils?[0].name == "Li")
      #expect(try grades.all() == [grade])
    }
  }

  @Test("are given where references are followed")
  func references() throws {
    let (albums, songs) = (try vault.store(of: Album.self), try vault.store(of: Song.self))
    try albums.insert(Album([Song("a"), Song("b")]))
    try vault.read(caching: .objects(100)) {
      let all = try songs.all()
      let first = try all[0].album?.object(in: vault)
      let second = try all[1].album.flatMap { try albums.find($0) }
      #expect(first === second && first != nil)
    }
  }

  @Test("are refused by a vault that was closed, and for a table that was removed")
  func refusals() throws {
    let other = try test.another()
    let (people, others) = (try vault.store(of: Person.self), try other.store(of: Person.self))
    try people.insert(Person(name: "Li"))
    try vault.read(caching: .objects(10)) {
      _ = try (others.find(1), others.find(1))
      other.close()
      #expect(code { _ = try others.find(1) } == .closed)
      #expect(try people.find(1)?.name == "Li")
    }
    try vault.read(caching: .objects(10)) {
      _ = try (people.find(1), people.find(1))
      try vault.removeStore(of: Person.self)
      #expect(code { _ = try people.find(1) } == .invalidated)
    }
  }

  @Test("do not come into an iteration that was begun before the scope")
  func iterations() throws {
    let accounts = try vault.store(of: Account.self)
    try accounts.insert(contentsOf: ["a", "b", "c"].map { Account(owner: $0) })
    let cursor = try accounts.query.cursor()
    #expect(try cursor.next()?.balance == 0)
    try accounts.query.update(set: ["balance": 5])
    try vault.read(caching: .objects(10)) { () throws in
      #expect(try accounts.find(2)?.balance == 5)
      #expect(try cursor.next()?.balance == 0)
      #expect(try cursor.next()?.balance == 0)
      #expect(try accounts.find(3)?.balance == 5)
    }
  }

  @Test("of two vaults are kept apart")
  func twoVaults() throws {
    let second = try TestVault()
    let (here, there) = (try vault.store(of: Person.self), try second.vault.store(of: Person.self))
    try here.insert(Person(name: "here"))
    try there.insert(Person(name: "there"))
    try vault.read(caching: .objects(10)) {
      #expect(try here.find(1)?.name == "here")
      try second.vault.read(caching: .objects(10)) { () throws in
        for _ in 0..<2 {
          #expect(try here.find(1)?.name == "here")
          #expect(try there.find(1)?.name == "there")
        }
      }
      try there.update(Person(id: 1, name: "changed"))
      #expect(try there.find(1)?.name == "changed")
      #expect(try here.find(1)?.name == "here")
    }
  }
}

extension Person {
  fileprivate init(id: Int64, name: String) {
    self.init(name: name)
    objectID = id
  }
}
