import ObjectVaultConformanceFormat
import ObjectVaultCore
import ObjectVaultKeys

extension LibraryCase {
  /// Performs an operation on a closed file.
  func performOnFile(
    _ operation: FixtureOperation, _ arguments: RequestArguments
  ) throws -> FixtureValue? {
    let given = try arguments["key"].map(key)
    let newKey = try arguments["newKey"].map(key)
    let file = try DatabaseFile(
      at: path(arguments.text("path") ?? "main.vault"),
      key: operation == .encrypt ? nil : given ?? .ofFixtures,
      cipherFormat: arguments.integer("fromFormat"))
    let target = try arguments.text("to").map(path)
    switch operation {
    case .encrypt:
      try file.encrypt(
        with: given ?? .ofFixtures, to: target, format: format(arguments),
        pageSize: arguments.integer("pageSize"))
    case .decrypt: try file.decrypt(to: path(arguments.requiredText("to")))
    case .upgrade:
      try file.upgrade(to: format(arguments), pageSize: arguments.integer("pageSize"))
    case .restore:
      try file.restore(
        to: path(arguments.requiredText("to")),
        replacing: arguments.bool("replacing") ?? false, key: newKey)
    case .verify:
      let report = try file.verify(expectingCommitCount: arguments.integer("counter"))
      return .object([
        .init("isSound", .bool(report.isSound)),
        .init("badPages", .list(report.badPages.map { .integer(Int64($0.number)) })),
      ])
    default:
      let report = try file.salvage(to: path(arguments.requiredText("to")), key: newKey)
      return .object([
        .init(
          "rows",
          .object(
            report.tables.sorted { $0.table < $1.table }
              .map { .init($0.table, .integer(Int64($0.rowsRecovered))) })),
        .init("isWhole", .bool(report.isWhole)),
      ])
    }
    return nil
  }

  private func format(_ arguments: RequestArguments) throws -> VaultConfiguration.CipherFormat {
    guard let word = try arguments.text("cipherFormat") else { return .native }
    guard let format = VaultConfiguration.CipherFormat(rawValue: word) else {
      throw RequestProblem("'cipherFormat' must be 'native' or 'portable', not '\(word)'.")
    }
    return format
  }
}
