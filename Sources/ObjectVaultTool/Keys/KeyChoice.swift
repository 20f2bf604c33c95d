internal import ArgumentParser
import ObjectVaultCore

/// The source of one key, as chosen with options.
struct KeyChoice {
  var file: String?
  var environment: String?
  var descriptor: Int32?
  /// A key that can only open a slot of a keyring.
  var slotKey: KeyringOnlyKey?
  var isRaw: Bool
  /// The prefix of the options: `--key` or `--new-key`.
  var option: String

  func validate() throws {
    let given = [file != nil, environment != nil, descriptor != nil, slotKey != nil]
      .filter(\.self).count
    guard given <= 1 else {
      throw ValidationError(
        "Use one of \(option)-file, \(option)-env and \(option)-fd, not several"
          + (slotKey.map { ", and none of them with \($0.option)." } ?? "."))
    }
    if let descriptor, descriptor < 0 {
      throw ValidationError("\(option)-fd must be 0 or more, not \(descriptor).")
    }
  }

  /// Returns the key, which is requested on the terminal if no source is given.
  ///
  /// - Parameters:
  ///   - kind: The kind of key to request.
  ///   - subject: The purpose of the key in the question.
  ///   - isNew: Whether the key is a new one, which is requested twice.
  /// - Returns: The key, which is not tested.
  /// - Throws: ``ToolError`` if no terminal is available.
  func secret(_ kind: SlotKind, for subject: String, isNew: Bool) throws -> GivenSecret {
    if let slotKey { return GivenSecret(try slotKey.slotKey()) }
    let contents: KeySource.Contents = isRaw ? .raw : .passphrase
    if file == Self.standardInput {
      return GivenSecret(.descriptor(0, holding: contents), place: .descriptor)
    }
    if let file { return GivenSecret(.file(file, holding: contents), place: .file) }
    if let environment {
      return GivenSecret(.environment(environment, holding: contents), place: .environment)
    }
    if let descriptor {
      return GivenSecret(.descriptor(descriptor, holding: contents), place: .descriptor)
    }
    let typed = SharedSecret(
      try TerminalPrompt.askForKey(self, kind, for: subject, twice: isNew))
    return GivenSecret(typed: typed, holding: contents)
  }

  /// The file name that selects standard input.
  static let standardInput = "-"

  /// Whether the key is read from standard input.
  var usesStandardInput: Bool { file == Self.standardInput || descriptor == 0 }

  /// Runs work that reads this key.
  ///
  /// A typed key that is rejected is requested again, with three attempts in total.
  func retrying<R>(_ work: () throws -> R) throws -> R {
    guard isAsked else { return try work() }
    for _ in 1..<3 {
      do {
        return try work()
      } catch let error as VaultError where error.rejectsKey {
        Failure.complain(Failure.text(of: error) + " Try again.")
      }
    }
    return try work()
  }

  /// Whether the key is requested on the terminal.
  var isAsked: Bool {
    file == nil && environment == nil && descriptor == nil && slotKey == nil
  }

  /// Whether the key replaces another one, so that questions and errors must distinguish the two.
  var isReplacement: Bool { option == "--new-key" }
}

extension VaultError {
  /// Whether the error says that a key is wrong.
  var rejectsKey: Bool { [.wrongKey, .invalidKey, .noKey].contains(code) }
}
