#if os(Linux)
  internal import Foundation
  internal import ObjectVaultCore
  internal import TestSupport

  /// Runs `stream PATH`, which streams the notes of a vault.
  ///
  /// It prints their number and the maximum growth of memory in KiB after the first note.
  func stream(_ arguments: [String]) async -> Int32 {
    do {
      let vault = try Vault(at: arguments[0], key: .ofTests)
      var (count, before) = (0, 0)
      let notes = try await vault.read { try vault.store(named: "Note") }
      for try await _ in notes.objects {
        if count == 0 {
          before = try ProcessMemory.now()
        }
        count += 1
      }
      print("\(count) \(try ProcessMemory.most() - before)")
      return 0
    } catch {
      print(error)
      return 71
    }
  }
#endif
