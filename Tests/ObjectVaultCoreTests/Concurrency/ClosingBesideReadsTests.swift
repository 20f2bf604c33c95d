import ObjectVaultCore
import Synchronization
import Testing
import TestSupport

import ObjectVaultFile
import ObjectVaultStores

/// A read counts no references to the file, which its use of a connection keeps. A write keeps the
/// file itself.
@Suite("Reads and writes beside a close", .covers("S51")) struct ClosingBesideReadsTests {
  private let notes: Notes

  init() throws {
    notes = try Notes()
    try notes.store.insert(Note("a"))
  }

  private var isFileOpen: Bool {
    HandleRegistry.file(at: notes.vault.path, isReadOnly: false) != nil
  }

  @Test("a vault closed inside a read keeps its file until the read ends") func insideARead() throws
  {
    let wasOpen = Mutex(false)
    let found = try Note.$onDecode.withValue({ [self] in
      notes.vault.close()
      // What is done here may not keep the file: only the connection in use does.
      wasOpen.withLock { $0 = isFileOpen }
    }) { try notes.store.find(1) }
    #expect(found?.text == "a")
    #expect(wasOpen.withLock { $0 })
    #expect(!isFileOpen)
    #expect { try notes.store.find(1) } throws: { ($0 as? VaultError)?.code == .closed }
  }

  @Test("what a program throws after it closed the vault is what the read throws")
  func theProgramsError() throws {
    #expect(throws: OnPurpose.self) {
      try Note.$onDecode.withValue({ [notes] in
        notes.vault.close()
        throw OnPurpose()
      }) { try notes.store.find(1) }
    }
    #expect(!isFileOpen)
  }

  @Test("a read of one handle ends well when another one was the last to be closed")
  func anotherHandle() throws {
    let other = try Vault(at: notes.vault.path, key: .ofTests)
    try other.open()
    let found = try Note.$onDecode.withValue({ [notes] in
      notes.vault.close()
      other.close()
    }) { try notes.store.find(1) }
    #expect(found?.text == "a")
    #expect(!isFileOpen)
  }

  @Test("threads that read while another closes get the object, or hear that the vault is closed")
  func threadsBesideAClose() throws {
    notes.vault.close()
    for _ in 0..<100 {
      let vault = try Vault(at: notes.vault.path, key: .ofTests)
      let store = try vault.store(of: Note.self)
      let first = Meeting()
      let begun = Atomic(0)
      let readers = (0..<3).map { _ in
        OnThread {
          var count = 0
          do {
            while try store.find(1)?.text == "a" {
              count += 1
              if begun.add(1, ordering: .relaxed).newValue == 3 { first.reach() }
            }
            return -1
          } catch let error as VaultError where error.code == .closed {
            return count
          }
        }
      }
      try first.wait()
      vault.close()
      for reader in readers { #expect(try reader.result() >= 0) }
      #expect(!isFileOpen)
    }
  }

  @Test("a vault closed inside its own transaction keeps its file until the transaction ends")
  func insideATransaction() throws {
    try notes.vault.transaction {
      try notes.store.insert(Note("b"))
      notes.vault.close()
      #expect(isFileOpen)
    }
    #expect(!isFileOpen)
    let again = try Vault(at: notes.vault.path, key: .ofTests)
    #expect(try again.store(of: Note.self).count() == 2)
  }

  @Test("threads that write while another closes store all, or hear that the vault is closed")
  func writersBesideAClose() throws {
    notes.vault.close()
    var stored = 1
    for _ in 0..<50 {
      let vault = try Vault(at: notes.vault.path, key: .ofTests)
      let store = try vault.store(of: Note.self)
      #expect(try store.count() == stored)
      let first = Meeting()
      let begun = Atomic(0)
      let writers = (0..<3).map { number in
        OnThread {
          var count = 0
          do {
            while true {
              if number == 0 {
                try store.insert(Note("alone"))
              } else {
                try vault.transaction { try store.insert(Note("together")) }
              }
              count += 1
              if begun.add(1, ordering: .relaxed).newValue == 3 { first.reach() }
            }
          } catch let error as VaultError where error.code == .closed {
            return count
          }
        }
      }
      try first.wait()
      vault.close()
      for writer in writers { stored += try writer.result() }
      #expect(!isFileOpen)
    }
  }

  // one thread: reads ........ reads
  // another:     reads at once ...... reads
  @Test("a thread reads again by the connection that it read by last") func ownConnection() throws {
    func connection() throws -> ObjectIdentifier {
      try notes.store.read { ObjectIdentifier($0) }
    }
    let (inside, leave) = (Meeting(), Meeting())
    let other = OnThread { [notes] in
      let first = try notes.store.read { connection in
        inside.reach()
        try leave.wait()
        return ObjectIdentifier(connection)
      }
      return (first, try notes.store.read { ObjectIdentifier($0) })
    }
    try inside.wait()
    let own = try connection()
    leave.reach()
    let (first, second) = try other.result()
    #expect(first != own)
    #expect(second == first)
    #expect(try connection() == own)
  }
}
