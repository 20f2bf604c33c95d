import ObjectVaultConformanceFormat

/// The keys with which a case opened its files, used if a fixture names a file without its key.
struct KnownKeys {
  private var keys: [String: FixtureValue] = [:]
  private var paths: [String: String] = [:]

  /// Returns the key with which the path was opened last.
  func key(of path: String) -> FixtureValue { keys[path] ?? FixtureKey.standard }

  /// Records an operation that succeeded.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - arguments: The arguments of the operation.
  ///   - process: The name of the process that performed it; empty for the first.
  mutating func note(_ operation: FixtureOperation, _ arguments: FixtureValue, process: String = "")
  {
    switch operation {
    case .open:
      let path = text(arguments["path"]) ?? CaseFolder.defaultPath
      paths[handle(arguments, process)] = path
      keys[path] = arguments["key"]
    case .rekey:
      if let path = paths[handle(arguments, process)] { keys[path] = arguments["key"] }
    case .rotate:
      if let path = paths[handle(arguments, process)], let kept = arguments["keeping"]?.elements {
        setSlot(kept.first, of: path)
      }
    case .changeKey:
      setSlot(arguments["to"], of: text(arguments["path"]) ?? CaseFolder.defaultPath)
    case .backup:
      if let to = text(arguments["to"]) {
        keys[to] = arguments["key"] ?? paths[handle(arguments, process)].flatMap { keys[$0] }
      }
    case .encrypt:
      if let path = text(arguments["to"]) ?? text(arguments["path"]) {
        keys[path] = arguments["key"]
      }
    case .upgrade:
      keys[text(arguments["path"]) ?? CaseFolder.defaultPath] = arguments["key"]
    case .restore, .salvage:
      if let to = text(arguments["to"]) { keys[to] = arguments["newKey"] ?? arguments["key"] }
    case .copy:
      if let from = text(arguments["from"]), let to = text(arguments["to"]) {
        keys[to] = keys[from]
      }
    default:
      break
    }
  }

  /// Records that this key now opens the keyring of the vault.
  private mutating func setSlot(_ slotKey: FixtureValue?, of path: String) {
    guard let slotKey, let old = keys[path], old["keyring"] != nil else { return }
    let place = old.members?.filter { $0.name == "at" } ?? []
    keys[path] = .object([.init("keyring", slotKey)] + place)
  }

  private func handle(_ arguments: FixtureValue, _ process: String) -> String {
    "\(process)/\(text(arguments["handle"]) ?? "main")"
  }

  private func text(_ value: FixtureValue?) -> String? {
    if case .text(let text)? = value { text } else { nil }
  }
}
