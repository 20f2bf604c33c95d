#if os(Linux)
  internal import Foundation
  internal import ObjectVaultCore

  /// `stream PATH`: streams the notes of a vault and prints how many there are, and by how many KiB
  /// memory grew after the first at most.
  func stream(_ arguments: [String]) async -> Int32 {
    do {
      let vault = try Vault(at: arguments[0], key: .passphrase("correct horse"))
      var (count, before) = (0, 0)
      for try await _ in try vault.store(named: "Note").objects {
        if count == 0 {
          // The highest mark is set anew, since opening has one of its own (man 5 proc).
          try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
          before = try memory("VmRSS")
        }
        count += 1
      }
      print("\(count) \(try memory("VmHWM") - before)")
      return 0
    } catch {
      print(error)
      return 71
    }
  }

  /// A line of what the kernel says of this process, in KiB.
  private func memory(_ name: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.split { $0 == " " || $0 == "\t" }.compactMap { Int($0) }.first ?? 0
  }
#endif
