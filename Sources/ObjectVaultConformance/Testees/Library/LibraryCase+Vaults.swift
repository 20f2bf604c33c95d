import ObjectVaultConformanceFormat
import ObjectVaultCore
import ObjectVaultKeys

extension LibraryCase {
  func performOnVault(_ operation: FixtureOperation, _ arguments: RequestArguments) throws
    -> FixtureValue?
  {
    switch operation {
    case .open: try open(arguments)
    case .close: try close(handle(arguments))
    case .removeVault: try removeVault(arguments)
    case .rekey: try handle(arguments).vault.rekey(to: key(arguments.required("key")))
    case .rotate:
      let keeping = try arguments["keeping"].map { _ in
        try arguments.list("keeping").map(SlotKey.init(fixture:))
      }
      try handle(arguments).vault.rotate(
        unlockedBy: SlotKey(fixture: arguments.required("unlockedBy")), keeping: keeping)
    case .backup:
      try handle(arguments).vault.backup(
        to: path(arguments.requiredText("to")), key: arguments["key"].map(key))
    case .freshness: return .integer(Int64(try handle(arguments).vault.commitCount()))
    case .cipher:
      let facts = try handle(arguments).vault.cipherInfo()
      return .object([
        .init("format", .integer(Int64(facts.format))),
        .init("pageSize", .integer(Int64(facts.pageSize))),
      ])
    case .events:
      guard settings.opening == nil else { throw NotSupported(reason: "files: 'events'") }
      let log = events[try arguments.handle]
      return .list((log?.take() ?? []).map(FixtureValue.text))
    default: return try classes(arguments)
    }
    return nil
  }

  /// Opens a handle.
  ///
  /// An existing handle with the same name is released first. A handle that fails to open is not
  /// stored.
  private func open(_ arguments: RequestArguments) throws {
    let name = try arguments.handle
    handles[name] = nil
    if let opening = settings.opening {
      let ofFiles = [
        "key", "create", "readOnly", "minimumCipherFormat", "busyTimeout", "regularExpressions",
      ]
      if let argument = ofFiles.first(where: { arguments[$0] != nil }) {
        throw NotSupported(reason: "files: 'open' with '\(argument)'")
      }
      let database = try opening.open(path(arguments.text("path") ?? "main.vault"))
      if try arguments.bool("lazily") != true { try database.open() }
      handles[name] = LibraryHandle(database)
      return
    }
    let vault = try Vault(
      at: path(arguments.text("path") ?? "main.vault"),
      key: arguments["key"].map(key) ?? .ofFixtures,
      configuration: VaultConfiguration(
        fixture: arguments, cipherFormat: settings.cipherFormat))
    // A handle that does not open is none, and has no events.
    if try arguments.bool("lazily") != true { try vault.open() }
    let log = events[name] ?? EventLog()
    events[name] = log
    log.listen(to: vault)
    handles[name] = LibraryHandle(vault)
  }

  private func removeVault(_ arguments: RequestArguments) throws {
    guard settings.opening == nil else {
      throw NotSupported(reason: "files: 'removeVault'")
    }
    if let path = try arguments.text("path") {
      try Vault.remove(at: self.path(path))
    } else {
      try handle(arguments).vault.removeFile()
    }
  }

  private func classes(_ arguments: RequestArguments) throws -> FixtureValue {
    let (described, foreign) = try handle(arguments).database.knownClasses()
    return .object([
      .init("described", .sortedTexts(described.map(\.name))),
      .init("other", .sortedTexts(foreign.map(\.table))),
    ])
  }
}

extension FixtureValue {
  /// Returns the texts in the order of their bytes.
  fileprivate static func sortedTexts(_ texts: [String]) -> FixtureValue {
    .list(
      texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(FixtureValue.text))
  }
}

extension VaultConfiguration {
  /// Creates a configuration from the arguments of `open`.
  fileprivate init(fixture arguments: RequestArguments, cipherFormat: CipherFormat) throws {
    self.init()
    switch try arguments.text("create") {
    case nil, "ifMissing": creation = .ifMissing
    case "never": creation = .never
    case let word?: throw RequestProblem("'create' must be 'ifMissing' or 'never', not '\(word)'.")
    }
    isReadOnly = try arguments.bool("readOnly") ?? false
    self.cipherFormat = cipherFormat
    if let word = try arguments.text("cipherFormat") {
      guard let format = CipherFormat(rawValue: word) else {
        throw RequestProblem("'cipherFormat' must be 'native' or 'portable', not '\(word)'.")
      }
      self.cipherFormat = format
    }
    minimumCipherFormat = try arguments.integer("minimumCipherFormat") ?? minimumCipherFormat
    if let seconds = try arguments.number("busyTimeout") {
      // A duration cannot hold every number.
      busyTimeout = abs(seconds) < 1e9 ? .seconds(seconds) : .seconds(Int64.max)
    }
    sealingKeys = try SealingKeys(Secret(utf8: "the sealing key of the fixtures!"))
    allowsRegularExpressions = try arguments.bool("regularExpressions") ?? true
  }
}
