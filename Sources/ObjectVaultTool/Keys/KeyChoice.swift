internal import ArgumentParser
import ObjectVaultCore

/// Where one key comes from, as a set of options says.
struct KeyChoice {
  var file: String?
  var environment: String?
  var descriptor: Int32?
  var isRaw: Bool
  /// What the options begin with: `--key`, or `--new-key`.
  var option: String

  func validate() throws {
    let given = [file != nil, environment != nil, descriptor != nil].filter(\.self).count
    guard given <= 1 else {
      throw ValidationError(
        "Give one of \(option)-file, \(option)-env and \(option)-fd, not several.")
    }
    if let descriptor, descriptor < 0 {
      throw ValidationError("A file descriptor is 0 or more; \(option)-fd has \(descriptor).")
    }
  }

  /// The key's source; asks on the terminal where none is given.
  ///
  /// - Parameters:
  ///   - kind: What is asked for.
  ///   - subject: What the key is for, as the question names it.
  ///   - isNew: Whether the key is being chosen, so that it is asked for twice.
  func secret(_ kind: SlotKind, for subject: String, isNew: Bool) throws -> GivenSecret {
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

  /// The name of a file that stands for standard input.
  static let standardInput = "-"

  /// Whether the key is read from standard input.
  var usesStandardInput: Bool { file == Self.standardInput || descriptor == 0 }

  /// Runs work that reads this key. A key that is typed and rejected is asked for again, three
  /// times in all.
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

  /// Whether the key is asked for on the terminal.
  var isAsked: Bool { file == nil && environment == nil && descriptor == nil }

  /// Whether it stands in for another key, so that questions and errors must tell the two apart.
  var isReplacement: Bool { option == "--new-key" }
}

extension VaultError {
  /// Whether it says that a key is not the right one.
  var rejectsKey: Bool { [.wrongKey, .invalidKey, .noKey].contains(code) }
}
