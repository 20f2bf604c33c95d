#if os(Linux)
  internal import Foundation
  internal import ObjectVaultCore
  internal import TestSupport

  /// Runs `observe PATH COMMITS`, which measures the memory of idle observers.
  ///
  /// A thousand observers read the first note once and then pause while COMMITS commits change it.
  /// It prints the next states that the observers receive, without duplicates, and the maximum
  /// growth of memory in KiB after the first tenth of the commits.
  func observe(_ arguments: [String]) async -> Int32 {
    do {
      var configuration = VaultConfiguration()
      configuration.observationInterval = .seconds(0.01)
      let vault = try Vault(
        at: arguments[0], key: .ofTests, configuration: configuration)
      let notes = try await vault.read { try vault.store(named: "Note") }
        .where("objectID == 1")
      let commits = Int(arguments[1]) ?? 0
      var observers = (0..<1000).map { _ in notes.observe().makeAsyncIterator() }
      for index in observers.indices { _ = try await observers[index].next() }
      func change(_ numbers: ClosedRange<Int>) throws {
        for number in numbers {
          try notes.update(set: ["text": "\(number) " + String(repeating: "x", count: 4000)])
        }
      }
      try change(1...commits / 10)
      let before = try ProcessMemory.now()
      try change(commits / 10 + 1...commits)
      // The next request of an observer must return the last state, regardless of the changes in
      // between.
      var given: Set<String> = []
      for index in observers.indices {
        var last = ""
        while !last.hasPrefix("\(commits) "), let state = try await observers[index].next() {
          guard case .text(let text)? = try state.first?.value(of: "text") else { continue }
          last = text
        }
        given.insert(String(last.prefix { $0 != " " }))
      }
      print("\(given.sorted().joined(separator: ",")) \(try ProcessMemory.most() - before)")
      return 0
    } catch {
      print(error)
      return 71
    }
  }
#endif
