internal import Foundation
internal import ObjectVaultCore

/// The files of a transfer scenario: the vault, and the reports of its processes next to it.
package struct TransferPlace: Sendable {
  package let folder: String

  package init(folder: String) { self.folder = folder }

  /// The number of threads that make transfers, two in each writing process.
  static let workers = 4
  static let accounts = 20
  static let openingBalance = 1_000_000
  static var sum: Int { accounts * openingBalance }

  var vault: String { folder + "/transfers.vault" }

  func log(of worker: Int) -> String { folder + "/acknowledged-\(worker)" }

  /// Returns the path of a file that receives one byte for each check of a process.
  func tally(of role: String) -> String { folder + "/checks-\(role)" }

  func output(of process: String) -> String { folder + "/output-\(process)" }

  func open() throws -> Vault {
    var configuration = VaultConfiguration()
    configuration.busyTimeout = .seconds(60)
    configuration.observationInterval = .seconds(0.05)
    return try Vault(at: vault, key: .ofTests, configuration: configuration)
  }

  /// Creates the vault with the accounts.
  func make() throws {
    let vault = try open()
    defer { vault.close() }
    try vault.store(of: Account.self).insert(
      contentsOf: (0..<Self.accounts).map { Account(number: $0, balance: Self.openingBalance) })
    _ = try vault.store(of: Transfer.self)
  }

  func size(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}

/// A counter of checks in a file, which other processes can read at any time.
final class Tally: Sendable {
  private let descriptor: Int32

  init(at path: String) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
  }

  deinit { close(descriptor) }

  func count() { _ = write(descriptor, ".", 1) }
}

/// A violation that a process of a transfer scenario found.
struct TransferViolation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
