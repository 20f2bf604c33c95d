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

  /// The key; asks for it on the terminal where no source is given.
  ///
  /// - Parameters:
  ///   - subject: What the key is for, as the question names it.
  ///   - isNew: Whether the key is being chosen, so that it is asked for twice.
  func key(for subject: String, isNew: Bool) throws -> VaultKey {
    let contents: KeySource.Contents = isRaw ? .raw : .passphrase
    if let file { return .source(.file(file, holding: contents)) }
    if let environment { return .source(.environment(environment, holding: contents)) }
    if let descriptor { return .source(.descriptor(descriptor, holding: contents)) }
    let secret = SharedSecret(try TerminalPrompt.askForKey(self, for: subject, twice: isNew))
    return .source(.closure(holding: contents) { secret.withSecret { $0.copy() } })
  }

  /// Whether it stands in for another key, so that questions and errors must tell the two apart.
  var isReplacement: Bool { option == "--new-key" }
}
