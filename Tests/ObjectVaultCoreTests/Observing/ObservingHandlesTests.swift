import Foundation
import ObjectVaultCore
import ObjectVaultKeys
import ObjectVaultSession
import Testing
import TestSupport

@testable import ObjectVaultStores

/// Observers that are told of what other handles and other processes commit.
@Suite struct ObservingHandlesTests {
  private func configuration(interval: Double, isReadOnly: Bool = false) -> VaultConfiguration {
    var configuration = VaultConfiguration()
    configuration.observationInterval = .seconds(interval)
    configuration.isReadOnly = isReadOnly
    return configuration
  }

  @Test("Another handle's commits are told at once, one for reading only included")
  func handles() async throws {
    let notes = try Notes(configuration(interval: 3600))
    let other = try Vault(at: notes.vault.path, key: .ofTests)
    let reading = try Vault(
      at: notes.vault.path, key: .ofTests,
      configuration: configuration(interval: 3600, isReadOnly: true))
    let seen = Deliveries(try await other.store(of: Note.self).observeCount())
    let seenReading = Deliveries(try await reading.store(of: Note.self).observeCount())
    _ = try await (seen.first(1), seenReading.first(1))
    try await notes.store.insert(Note("a"))
    #expect(try await seen.first(2) == [0, 1])
    #expect(try await seenReading.first(2) == [0, 1])
    withExtendedLifetime((other, reading)) {}
  }

  @Test(
    "Another process's commits are told, to handles for reading only too", arguments: [false, true])
  func otherProcess(isReadOnly: Bool) async throws {
    let notes = try Notes()
    let vault = try Vault(
      at: notes.vault.path, key: .ofTests,
      configuration: configuration(interval: 0.02, isReadOnly: isReadOnly))
    if !isReadOnly {
      // Handles for writing share one file, which has the settings of the first.
      notes.vault.close()
    }
    let seen = Deliveries(try await vault.store(of: Note.self).observe())
    _ = try await seen.first(1)
    for count in 1...3 {
      #expect(try ChildProcess.run("vault-insert", vault.path, "60").status == 0)
      try await seen.wait { $0.count == count }
    }
    #expect(seen.elements.map { $0.map(\.text) }.last == ["child", "child", "child"])
    withExtendedLifetime(notes.folder) {}
  }

  @Test("Another process's commit is found also while this one writes without a pause")
  func besideWriters() async throws {
    let notes = try Notes(configuration(interval: 0.01))
    let seen = Deliveries(notes.store.observe())
    _ = try await seen.first(1)
    // A table that nobody observes.
    let other = try await notes.vault.store(of: Person.self)
    let writer = Task.detached {
      var count = 0
      while !Task.isCancelled {
        try other.transaction { _ in
          for _ in 0..<20 { try other.insert(Person(name: "p")) }
        }
        count += 1
      }
      return count
    }
    #expect(try ChildProcess.run("vault-insert", notes.vault.path, "60").status == 0)
    try await seen.wait { $0.count == 1 }
    writer.cancel()
    #expect(try await writer.value > 0)
  }

  @Test("Own commits are not taken for those of another process")
  func ownCommits() async throws {
    let notes = try Notes(configuration(interval: 3600))
    let file = try notes.vault.file()
    _ = file.beginToLook()
    let observer = Observer()
    _ = observer.nextTurn()
    observer.endLook(dependingOn: ["nothing"])
    let id = file.observers.add(observer)
    defer { file.observers.remove(id) }
    for number in 0..<10 {
      try await notes.store.insert(Note("\(number)"))
      _ = try await notes.store.count()
      file.lookForOthers()
    }
    file.observers.waitUntilTold()
    guard case .wait = observer.nextTurn() else {
      Issue.record("taken for another's")
      return
    }
    #expect(try ChildProcess.run("vault-insert", notes.vault.path, "60").status == 0)
    file.lookForOthers()
    file.observers.waitUntilTold()
    guard case .look = observer.nextTurn() else {
      Issue.record("another's was overlooked")
      return
    }
  }

  @Test("Nobody looks for other processes while nobody observes")
  func looking() async throws {
    let notes = try Notes(configuration(interval: 0.01))
    let file = try notes.vault.file()
    #expect(file.observers.lookCount == 0)
    let seen = Deliveries(notes.store.observe())
    try await eventually { file.observers.lookCount > 2 }
    seen.cancel()
    try await seen.end()
    // One may have been on its way.
    file.observers.waitUntilLooked()
    let count = file.observers.lookCount
    for _ in 0..<20 {
      try await notes.store.insert(Note("a"))
      file.observers.waitUntilLooked()
    }
    #expect(file.observers.lookCount == count)
    let again = Deliveries(notes.store.observe())
    try await eventually { file.observers.lookCount > count }
    withExtendedLifetime(again) {}
  }

  @Test("A file that was replaced or removed by others ends observations with `.replaced`")
  func replaced() async throws {
    let notes = try Notes(configuration(interval: 0.02))
    let seen = Deliveries(notes.store.observe())
    _ = try await seen.first(1)
    try FileManager.default.moveItem(atPath: notes.vault.path, toPath: notes.vault.path + ".away")
    #expect(try await seen.end() == .replaced)
  }

  @Test("An observation goes on over a rekey")
  func rekey() async throws {
    let notes = try Notes(configuration(interval: 0.02))
    let seen = Deliveries(notes.store.observeCount())
    _ = try await seen.first(1)
    try await notes.store.insert(Note("a"))
    _ = try await seen.first(2)
    try await notes.vault.rekey(to: .passphrase("other words")) { _ in }
    try await notes.store.insert(Note("b"))
    #expect(try await seen.first(3) == [0, 1, 2])
    try await notes.store.insert(Note("c"))
    #expect(try await seen.first(4) == [0, 1, 2, 3])
    #expect(seen.errorCode == nil)
  }

  @Test("A read that waits for a long rekey does not end the observation")
  func longRekey() async throws {
    var configuration = configuration(interval: 0.02)
    configuration.busyTimeout = .milliseconds(50)
    let notes = try Notes(configuration)
    var elements = notes.store.observeCount().makeAsyncIterator()
    #expect(try await elements.next() == 0)
    try await notes.store.insert(Note("a"))
    let vault = notes.vault
    async let rekey: Void = onOwnThread {
      try vault.rekey(to: .passphrase("other words")) { _ in Thread.sleep(forTimeInterval: 0.2) }
    }
    while try await vault.openedOffThread().sessions.readers.suspensionCount == 0 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(try await elements.next() == 1)
    try await rekey
    try await notes.store.insert(Note("b"))
    #expect(try await elements.next() == 2)
  }
}
