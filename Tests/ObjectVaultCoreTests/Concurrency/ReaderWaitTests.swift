import Foundation
import ObjectVaultCore
import ObjectVaultSession
import Testing
import TestSupport

@Suite("A read that finds no free connection") struct ReaderWaitTests {
  @Test("gives up after the busy timeout and says why")
  func busy() throws {
    var configuration = VaultConfiguration()
    configuration.maximumReaders = 2
    configuration.busyTimeout = .seconds(0.05)
    let notes = try Notes(configuration)
    try notes.store.insert(Note("a"))
    // Each scope waits for a thread that reads: no connection becomes free before that ends.
    let (one, other) = (Meeting(), Meeting())
    func reader(_ mine: Meeting, _ others: Meeting) -> OnThread<String?> {
      OnThread {
        try notes.vault.read {
          _ = try notes.store.count()
          others.reach()
          try mine.wait()
          return try OnThread { () -> String? in
            do {
              _ = try notes.store.count()
              return nil
            } catch let error as VaultError where error.code == .busy {
              return error.message
            }
          }.result()
        }
      }
    }
    let readers = [reader(one, other), reader(other, one)]
    for reader in readers {
      let message = try #require(try reader.result())
      #expect(message.contains("All 2 connections") && message.contains("maximumReaders"))
    }
    #expect(try notes.store.count() == 1)
  }

  @Test("waits until a connection becomes free")
  func waits() throws {
    var configuration = VaultConfiguration()
    configuration.maximumReaders = 1
    configuration.busyTimeout = .seconds(3600)
    let notes = try Notes(configuration)
    let waiting = try notes.vault.read {
      _ = try notes.store.count()
      let waiting = OnThread { try notes.store.count() }
      let name = "the replacement of '\(notes.vault.path)'"
      while WaitGraph.waiterCount(of: name) == 0 { usleep(200) }
      return waiting
    }
    #expect(try waiting.result() == 0)
  }
}
