import Foundation
import ObjectVaultCore
import ObjectVaultSession
import Synchronization
import TestSupport
import Testing

import ObjectVaultStores

@Suite(.covers("X5", "S16")) struct ReaderTests {
  // this thread: reads 1 ........................ reads 1 (also lazily)      reads 2
  // the other:            inserts, commits
  @Test("a read scope sees one state while another thread commits", .covers("P12"))
  func aReadScopeSeesOneState()
    throws
  {
    let notes = try Notes()
    try notes.store.insert(Note("a"))
    try notes.vault.read {
      try OnThread { _ = try notes.store.insert(Note("b")) }.result()
      #expect(try notes.store.count() == 1)
      #expect(try notes.store.find(2) == nil)
      var lazily = 0
      try notes.store.forEach { _ in lazily += 1 }
      #expect(lazily == 1)
      try notes.vault.read {
        let found = try notes.texts
        #expect(found == ["a"])
      }
    }
    #expect(try notes.texts == ["a", "b"])
  }

  // one thread: begins, reads 1 ......................................... reads 1, ends
  // this one:                    inserts a second ....................... inserts a third
  // another:                                       begins, reads 2 ...... reads 2, ends
  @Test(
    "threads that read at once each have a connection, and a state of their own", .covers("P11"))
  func threadsAtOnce() throws {
    let notes = try Notes()
    try notes.store.insert(Note("a"))
    let connections = Mutex<Set<ObjectIdentifier>>([])
    /// Reads in a scope that stays open until it may leave.
    func reader(_ inside: Meeting, _ leave: Meeting) -> OnThread<[Int]> {
      OnThread {
        try notes.vault.read {
          let before = try notes.store.count()
          try notes.store.read { connection in
            _ = connections.withLock { $0.insert(ObjectIdentifier(connection)) }
          }
          inside.reach()
          try leave.wait()
          return [before, try notes.store.count()]
        }
      }
    }
    let (firstInside, firstLeaves) = (Meeting(), Meeting())
    let first = reader(firstInside, firstLeaves)
    try firstInside.wait()
    try notes.store.insert(Note("b"))
    let (secondInside, secondLeaves) = (Meeting(), Meeting())
    let second = reader(secondInside, secondLeaves)
    try secondInside.wait()
    // Both scopes are open now.
    try notes.store.insert(Note("c"))
    #expect(try notes.store.count() == 3)
    firstLeaves.reach()
    secondLeaves.reach()
    #expect(try first.result() == [1, 1])
    #expect(try second.result() == [2, 2])
    #expect(connections.withLock { $0.count } == 2)
  }

  // this thread: reads a, b (both as begun) ... leaves b's scope: reads a (as begun), b (as it is)
  // the other:             inserts into both
  @Test("read scopes of two vaults inside one another each keep their own state")
  func scopesOfTwoVaults() throws {
    let (a, b) = (try Notes(), try Notes())
    func counts() throws -> [Int] { try [a.store.count(), b.store.count()] }
    try a.vault.read {
      try b.vault.read {
        try OnThread {
          _ = try a.store.insert(Note("a"))
          _ = try b.store.insert(Note("b"))
        }.result()
        #expect(try counts() == [0, 0])
      }
      #expect(try counts() == [0, 1])
    }
    #expect(try counts() == [1, 1])
  }

  @Test("a cursor goes on seeing what it began with while others write") func aCursorGoesOnSeeing()
    throws
  {
    let notes = try Notes()
    try notes.store.insert(contentsOf: (0..<500).map { Note("\($0)") })
    let cursor = try notes.store.query.cursor()
    #expect(try cursor.next()?.text == "0")
    try OnThread {
      try notes.store.removeAll()
      try notes.store.insert(Note("new"))
    }.result()
    var rest = 0
    while try cursor.next() != nil { rest += 1 }
    #expect(rest == 499)
    #expect(try notes.texts == ["new"])
  }

  @Test("a cursor has the objects of the time when it was created") func aCursorBegins() throws {
    let notes = try Notes()
    try notes.store.insert(contentsOf: [Note("a"), Note("b")])
    let cursor = try notes.store.query.cursor()
    let none = try notes.store.where("text == 'new'").cursor()
    try OnThread { _ = try notes.store.insert(Note("new")) }.result()
    #expect(try cursor.next()?.text == "a")
    #expect(try cursor.next()?.text == "b")
    #expect(try cursor.next() == nil)
    #expect(try none.next() == nil)
    #expect(try notes.texts == ["a", "b", "new"])
  }

  @Test("a cursor waits for the end of a rekey") func aCursorDuringARekey() throws {
    let notes = try Notes()
    try notes.store.insert(Note("a"))
    let rekey = OnThread { [notes] in
      try notes.vault.rekey(to: .passphrase("other words")) { _ in usleep(100_000) }
    }
    while try notes.vault.opened().sessions.readers.suspensionCount == 0 { usleep(1000) }
    let cursor = try notes.store.query.cursor()
    #expect(try cursor.next()?.text == "a")
    #expect(try cursor.next() == nil)
    try rekey.result()
  }

  @Test("a cursor begun in a read scope ends with it", .covers("P7")) func aCursorBegunInARead()
    throws
  {
    let notes = try Notes()
    try notes.store.insert(contentsOf: [Note("a"), Note("b")])
    let cursor = try notes.vault.read {
      let cursor = try notes.store.query.cursor()
      #expect(try cursor.next()?.text == "a")
      return cursor
    }
    #expect(code { _ = try cursor.next() } == .invalidArgument)
  }

  @Test("more cursors and readers than connections are served")
  func moreCursorsAndReadersThanConnections() throws {
    var configuration = VaultConfiguration()
    configuration.maximumReaders = 2
    let notes = try Notes(configuration)
    try notes.store.insert(contentsOf: [Note("a"), Note("b")])
    let cursors = try (0..<7).map { _ in try notes.store.query.cursor() }
    for cursor in cursors { #expect(try cursor.next()?.text == "a") }
    let readers = (0..<8).map { _ in
      OnThread {
        for _ in 0..<200 {
          let count = try notes.store.count()
          #expect(count == 2)
        }
      }
    }
    for reader in readers { try reader.result() }
    for cursor in cursors { #expect(try cursor.next()?.text == "b") }
  }

  @Test("the write-ahead log stays small beside readers") func theWriteAheadLogStaysSmall() throws {
    let notes = try Notes()
    let text = String(repeating: "x", count: 2_000)
    let stop = Meeting()
    let reader = OnThread {
      while (try? notes.store.count()) != 400 {}
      stop.reach()
    }
    for _ in 0..<20 {
      for _ in 0..<20 { try notes.store.insert(contentsOf: [Note(text)]) }
    }
    try stop.wait()
    try reader.result()
    // A cursor that was ended leaves no snapshot that would keep the log from starting anew.
    let cursor = try notes.store.query.cursor()
    _ = try cursor.next()
    while try cursor.next() != nil {}
    for _ in 0..<4_000 { try notes.store.insert(Note(text)) }
    let log = try FileManager.default.attributesOfItem(atPath: notes.vault.path + "-wal")
    let size = try #require(log[.size] as? Int)
    #expect(size < 16 << 20, "\(size)")
  }

  @Test("a reading handle beside a writing one sees its commits")
  func aReadingHandleBesideAWriting() throws {
    let notes = try Notes()
    var configuration = VaultConfiguration()
    configuration.isReadOnly = true
    let reading = try Vault(at: notes.vault.path, key: .ofTests, configuration: configuration)
    let store = try reading.store(of: Note.self)
    try notes.vault.transaction {
      try notes.store.insert(Note("a"))
      #expect(try store.count() == 0)
    }
    #expect(try store.count() == 1)
    #expect(code { _ = try store.insert(Note("b")) } == .readOnly)
    try notes.vault.removeStore(of: Note.self)
    #expect(code { _ = try store.count() } == .invalidated)
  }
}
