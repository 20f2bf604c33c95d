import Foundation
import ObjectVaultCore
import Synchronization
import TestSupport
import Testing

@Suite(.covers("S10", "S48", "S50", "S52", "S53", "S54")) struct SharedFileTests {
  @Test("handles by other paths and links share one file") func handlesByOtherPathsAndLinks() throws
  {
    let notes = try Notes()
    let link = notes.folder.file("link.vault")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: notes.vault.path)
    let name = URL(fileURLWithPath: notes.vault.path).deletingLastPathComponent().lastPathComponent
    let around = notes.folder.file("../\(name)/./a.vault")
    for path in [link, around] {
      let store = try Vault(at: path, key: .ofTests).store(of: Note.self)
      try notes.vault.transaction {
        try notes.store.insert(Note("a"))
        // One core: this thread's transaction is that of every handle.
        #expect(try store.count() == notes.store.count())
      }
    }
  }

  @Test("a second handle with a wrong key is refused and harms nothing")
  func aSecondHandleWithAWrong() throws {
    let notes = try Notes()
    try notes.vault.transaction {
      try notes.store.insert(Note("a"))
      let other = try Vault(at: notes.vault.path, key: .passphrase("wrong"))
      #expect(code { try other.open() } == .wrongKey)
    }
    #expect(try notes.texts == ["a"])
  }

  @Test("a replaced file is noticed by reads and writes and not written into")
  func aReplacedFileIsNoticed() throws {
    let notes = try Notes()
    let other = try Notes()
    try other.store.insert(Note("other"))
    other.vault.close()
    try FileManager.default.removeItem(atPath: notes.vault.path)
    #expect(code { _ = try notes.store.insert(Note("x")) } == .replaced)
    try FileManager.default.copyItem(atPath: other.vault.path, toPath: notes.vault.path)
    for _ in 0..<2 { #expect(code { _ = try notes.store.insert(Note("x")) } == .replaced) }
    #expect(code { try notes.vault.transaction {} } == .replaced)
    let copy = FileManager.default.contents(atPath: notes.vault.path)
    #expect(copy == FileManager.default.contents(atPath: other.vault.path))
  }

  @Test("Closing a replaced vault leaves the log to the file that replaced it")
  func logOfAnotherFile() throws {
    let folder = try TemporaryFolder()
    let (path, other) = (folder.file("a.vault"), folder.file("b.vault"))
    for path in [path, other] {
      let vault = try Vault(at: path, key: .ofTests)
      try vault.store(of: MarkedObject.self).insert(MarkedObject("first", number: 0))
      vault.close()
    }
    let old = try Vault(at: path, key: .ofTests)
    let store = try old.store(of: MarkedObject.self)
    try store.insert(MarkedObject("old", number: 0))
    try old.checkpoint()
    #expect(rename(other, path) == 0)
    // The process commits five objects, and is killed before it moves them into the file.
    let child = try ChildProcess.run("vault-crash", path, "new", "5", "1")
    #expect(child.status == SIGKILL, "\(child.output)")
    #expect(code { try store.insert(MarkedObject("old", number: 1)) } == .replaced)
    let again = try Vault(at: path, key: .ofTests)
    #expect(code { try again.open() } == .busy)
    #expect(code { _ = try DatabaseFile(at: path, key: .ofTests).verify() } == .busy)
    old.close()
    #expect(try folder.size(of: "a.vault-wal") > 0)
    let ids = try again.store(of: MarkedObject.self).all().map(\.id)
    #expect(ids.sorted() == ["first id 0"] + (0..<5).map { "new id \($0)" })
    again.close()
  }

  // reader: in a scope, asked to write, waits for ── remover, who waits for nobody inside
  @Test("removal lets what runs end, and everything after it is invalid")
  func removalLetsWhatRunsEnd() throws {
    let notes = try Notes()
    try notes.store.insert(Note("a"))
    let (inside, leave) = (Meeting(), Meeting())
    let writer = OnThread {
      try notes.vault.transaction {
        try notes.store.insert(Note("b"))
        inside.reach()
        try leave.wait()
        #expect(try notes.store.count() == 2)
      }
    }
    try inside.wait()
    let reading = Meeting()
    let reader = OnThread {
      code {
        try notes.vault.read {
          reading.reach()
          _ = try notes.store.insert(Note("c"))
        }
      }
    }
    try reading.wait()
    let remover = OnThread { try Vault.remove(at: notes.vault.path) }
    // A handle that is opened inside while others wait to remove.
    leave.reach()
    try writer.result()
    try remover.result()
    let ended = try reader.result()
    #expect(ended == nil || ended == .invalidated)
    #expect(code { _ = try notes.store.count() } == .invalidated)
    #expect(code { _ = try notes.store.insert(Note("d")) } == .invalidated)
    #expect(!FileManager.default.fileExists(atPath: notes.vault.path))
    #expect(!FileManager.default.fileExists(atPath: notes.vault.path + "-wal"))
  }

  // writer: in a transaction ............ opens a second handle ... commits
  // remover:        waits for the writer
  @Test("opening a handle inside a transaction does not wait for a removal that waits")
  func openingAHandleInsideATransaction() throws {
    let notes = try Notes()
    let inside = Meeting()
    let begin = Meeting()
    let writer = OnThread {
      try notes.vault.transaction {
        inside.reach()
        try begin.wait()
        return try Vault(at: notes.vault.path, key: .ofTests).store(of: Note.self).count()
      }
    }
    try inside.wait()
    let remover = OnThread { try Vault.remove(at: notes.vault.path) }
    begin.reach()
    #expect(try writer.result() == 0)
    try remover.result()
  }

  @Test("removal from inside is refused in a transaction and possible in a read")
  func removalFromInsideIsRefused() throws {
    let notes = try Notes()
    try notes.vault.transaction {
      #expect(code { try notes.vault.removeFile() } == .invalidArgument)
      try notes.store.insert(Note("a"))
    }
    let cursor = try notes.store.query.cursor()
    #expect(try cursor.next() != nil)
    try notes.vault.read { try notes.vault.removeFile() }
    #expect(code { _ = try cursor.next() } == .invalidated)
    #expect(code { _ = try notes.store.count() } == .invalidated)
  }

  @Test("handlers of events may use vaults, make new ones and end registrations")
  func handlersOfEventsMayUseVaults() throws {
    let notes = try Notes()
    let path = notes.vault.path
    let heard = Mutex<[VaultEvent]>([])
    let registration = notes.vault.onEvent { event in
      heard.withLock { $0.append(event) }
      if case .storeRemoved = event {
        _ = try? notes.vault.store(of: Note.self).insertNow(Note("made anew"))
      }
      if event == .removed {
        _ = try? Vault(at: path, key: .ofTests).store(of: Note.self).insert(Note("new file"))
      }
    }
    try notes.vault.transaction {
      try notes.vault.removeStore(of: Note.self)
      #expect(heard.withLock { $0 } == [])
    }
    #expect(try notes.vault.store(of: Note.self).count() == 1)
    try notes.vault.removeFile()
    #expect(heard.withLock { $0 } == [.storeRemoved("Note"), .removed])
    #expect(try Vault(at: path, key: .ofTests).store(of: Note.self).count() == 1)
    registration.cancel()
  }

  @Test("an event stream that nobody reads any more ends its registration")
  func anEventStreamThatNobodyReads() async throws {
    let notes = try Notes()
    do { _ = notes.vault.eventStream() }
    var events = notes.vault.eventStream().makeAsyncIterator()
    notes.vault.close()
    #expect(await events.next() == .closed)
    #expect(await events.next() == nil)
  }

  @Test("a removed store is invalid for all handles once that is committed")
  func aRemovedStoreIsInvalid() throws {
    let notes = try Notes()
    let other = try Vault(at: notes.vault.path, key: .ofTests).store(of: Note.self)
    #expect(throws: OnPurpose.self) {
      try notes.vault.transaction {
        try notes.vault.removeStore(of: Note.self)
        #expect(code { _ = try other.count() } == .invalidated)
        throw OnPurpose()
      }
    }
    #expect(try other.count() == 0)
    let inside = try notes.vault.transaction {
      try notes.vault.removeStore(of: Note.self)
      let again = try notes.vault.store(of: Note.self)
      try again.insert(Note("again"))
      return again
    }
    #expect(try inside.count() == 1)
    #expect(code { _ = try other.count() } == .invalidated)
    #expect(code { _ = try notes.store.count() } == .invalidated)
    try notes.vault.removeStore(of: Note.self)
    #expect(code { _ = try inside.count() } == .invalidated)
    #expect(try notes.vault.store(of: Note.self).count() == 0)
  }

  @Test("closing while others work ends nothing half-way") func closingWhileOthersWorkEndsNothing()
    throws
  {
    for _ in 0..<10 {
      let notes = try Notes()
      let begun = Meeting()
      let writers = (0..<3).map { _ in
        OnThread { () -> Int in
          begun.reach()
          var done = 0
          do {
            while true {
              try notes.store.insert(contentsOf: [Note("a"), Note("b")])
              done += 2
            }
          } catch let error as VaultError where error.code == .closed {}
          return done
        }
      }
      try begun.wait()
      notes.vault.close()
      let done = try writers.map { try $0.result() }.reduce(0, +)
      #expect(try Vault(at: notes.vault.path, key: .ofTests).store(of: Note.self).count() == done)
    }
  }

  @Test("handles made and let go of by many threads find one file") func handlesMadeAndLetGo()
    throws
  {
    let notes = try Notes()
    let path = notes.vault.path
    notes.vault.close()
    let threads = (0..<6).map { _ in
      OnThread {
        for _ in 0..<15 {
          let store = try Vault(at: path, key: .raw(Array(repeating: 7, count: 32)))
          _ = store
          _ = try Vault(at: path, key: .ofTests).store(of: Note.self).insert(Note("a"))
        }
      }
    }
    for thread in threads { try thread.result() }
    #expect(try Vault(at: path, key: .ofTests).store(of: Note.self).count() == 90)
  }
}
