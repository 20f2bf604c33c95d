import Foundation
import ObjectVaultCore
import ObjectVaultSession
import Synchronization
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
    let (oneFailed, otherFailed) = (Meeting(), Meeting())
    func reader(
      _ mine: Meeting, _ others: Meeting, hasFailed: Meeting, until othersFailed: Meeting
    ) -> OnThread<String?> {
      OnThread {
        try notes.vault.read {
          _ = try notes.store.count()
          others.reach()
          try mine.wait()
          let message = try OnThread { () -> String? in
            do {
              _ = try notes.store.count()
              return nil
            } catch let error as VaultError where error.code == .busy {
              return error.message
            }
          }.result()
          hasFailed.reach()
          try othersFailed.wait()
          return message
        }
      }
    }
    let readers = [
      reader(one, other, hasFailed: oneFailed, until: otherFailed),
      reader(other, one, hasFailed: otherFailed, until: oneFailed),
    ]
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

  @Test("receives one although another thread reads again and again")
  func fair() throws {
    var configuration = VaultConfiguration()
    configuration.maximumReaders = 1
    configuration.busyTimeout = .seconds(3600)
    let notes = try Notes(configuration)
    let isServed = Atomic<Bool>(false)
    func read() throws {
      try notes.vault.read {
        _ = try notes.store.count()
        usleep(15_000)
      }
    }
    let waiting = try notes.vault.read {
      _ = try notes.store.count()
      let waiting = OnThread {
        defer { isServed.store(true, ordering: .releasing) }
        return try notes.store.count()
      }
      let name = "the replacement of '\(notes.vault.path)'"
      while WaitGraph.waiterCount(of: name) == 0 { usleep(200) }
      return waiting
    }
    var reads = 0
    while !isServed.load(ordering: .acquiring), reads < 200 {
      try read()
      reads += 1
    }
    #expect(try waiting.result() == 0)
    #expect(reads < 50)
  }
}
