#if os(Linux)
  internal import Foundation
  internal import ObjectVaultCore
  internal import TestSupport

  /// Runs `process-state PATH [--tuned]`, which reports the changes of process-wide state.
  ///
  /// It uses a vault in every usual way and prints one line for each change, then whether the
  /// engine tracks its memory use.
  func processState(_ arguments: [String]) -> Int32 {
    guard let path = arguments.first else {
      report("usage: vaultchild process-state PATH [--tuned]")
      return 64
    }
    do {
      let before = try ProcessState()
      if arguments.contains("--tuned") { print("tuned \(VaultProcess.tuneEngine())") }
      let vault = try Vault(at: path, key: .ofTests)
      let store = try vault.store(of: Parcel.self)
      try store.insert(Parcel(1))
      _ = try store.all()
      try vault.backup(to: path + ".backup")
      try vault.checkpoint()
      try vault.rekey(to: .raw(hex: String(repeating: "a5", count: 32)))
      let used = memoryUsed()
      vault.close()
      for line in try ProcessState().differences(from: before) { print(line) }
      print("accounts for memory \(used > 0)")
      return 0
    } catch {
      report("\(error)")
      return 1
    }
  }

  private func memoryUsed() -> Int64 {
    typealias Used = @convention(c) () -> Int64
    guard let symbol = dlsym(nil, "sqlite3_memory_used") else { return -1 }
    return unsafeBitCast(symbol, to: Used.self)()
  }

  /// The process-wide state.
  private struct ProcessState {
    private let values: [String: String]

    init() throws {
      var values: [String: String] = [:]
      for (name, value) in ProcessInfo.processInfo.environment {
        values["environment \(name)"] = value
      }
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      for line in status.split(separator: "\n") {
        // The masks of blocked, ignored and caught signals.
        let isState = ["Umask:", "SigBlk:", "SigIgn:", "SigCgt:"].contains { line.hasPrefix($0) }
        if isState { values[String(line.prefix { $0 != ":" })] = String(line) }
      }
      values["locale"] = setlocale(LC_ALL, nil).map { String(cString: $0) }
      values["folder"] = FileManager.default.currentDirectoryPath
      let limits = try String(contentsOfFile: "/proc/self/limits", encoding: .utf8)
      for line in limits.split(separator: "\n") {
        values["limit \(line.prefix(24))"] = String(line)
      }
      self.values = values
    }

    func differences(from other: ProcessState) -> [String] {
      Set(values.keys).union(other.values.keys).sorted()
        .filter { values[$0] != other.values[$0] }
        .map { "changed \($0): \(other.values[$0] ?? "none") to \(values[$0] ?? "none")" }
    }
  }
#endif
