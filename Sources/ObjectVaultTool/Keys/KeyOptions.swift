internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

/// The key of a file that exists; the same for every subcommand that opens one.
struct KeyOptions: ParsableArguments, Sendable {
  @OptionGroup var sources: KeySourceOptions

  @OptionGroup var slots: SlotOptions

  @Flag(help: "The key is the file's own, also where a keyring lies beside it.")
  var noKeyring = false

  func validate() throws {
    if slots.recoveryCode, sources.rawKey {
      throw ValidationError("Give one of --recovery-code and --raw-key, not both.")
    }
    if noKeyring, slots.isGiven {
      throw ValidationError(
        "--no-keyring does not go with --keyring, --slot and --recovery-code.")
    }
  }

  /// Whether the key is read from standard input.
  var usesStandardInput: Bool { sources.usesStandardInput }

  /// The key of a file; asks for it on the terminal where no source is given.
  func key(for path: String) throws -> VaultKey { try asked(for: [path]).key(for: path) }

  /// The key of several files, each of which may have a keyring. It is asked for once.
  ///
  /// - Throws: ``ToolError`` where a keyring is named that cannot be the one of all files.
  func asked(for paths: [String]) throws -> PresentKey {
    if paths.count > 1, slots.keyring != nil {
      throw ToolError(
        .usage, "--keyring goes with one file. Give the files one by one, or without it.")
    }
    let subject =
      paths.count == 1
      ? "'\(PrintableText.escaped(paths[0]))'" : "the \(paths.count) files"
    var kind: SlotKind =
      sources.rawKey ? .raw : slots.recoveryCode ? .recoveryCode : .passphrase
    let choice = sources.choice
    if choice.isAsked, paths.count == 1, let keyring = try keyring(of: paths[0]) {
      kind = try slots.kindToAsk(keyring, isRaw: sources.rawKey)
    }
    return PresentKey(
      options: self, secret: try choice.secret(kind, for: subject, isNew: false),
      asked: choice.isAsked ? kind : nil)
  }

  /// The error with the possibility that the key of the file is in a keyring which is not there.
  func explained(_ error: VaultError, at path: String) -> VaultError {
    guard error.code == .wrongKey, !noKeyring, !slots.isGiven,
      let keyring = try? VaultKeyring(ofVaultAt: path), !keyring.exists
    else { return error }
    var error = error
    error.message +=
      " If its key is in a keyring: there is none at '\(PrintableText.escaped(keyring.path))'; "
      + "--keyring PATH says where it lies."
    return error
  }

  /// The keyring that opens a file; `nil` where the file has a key of its own.
  ///
  /// A keyring that was made for a file which was never finished is none, unless options speak of it.
  func keyring(of path: String) throws -> VaultKeyring? {
    if noKeyring { return nil }
    let keyring = try VaultKeyring(ofVaultAt: path, at: slots.keyring)
    if slots.keyring != nil { return keyring }
    if keyring.exists {
      let isIgnored = !slots.isGiven && (try? keyring.state) == .neverFinished
      return isIgnored ? nil : keyring
    }
    guard !slots.isGiven else {
      throw ToolError(
        .noInput,
        "There is no keyring at '\(PrintableText.escaped(keyring.path))' for what --slot and "
          + "--recovery-code say. Give --keyring PATH where it lies elsewhere.")
    }
    return nil
  }
}

/// The key that opens files now, as it was given for all of them.
struct PresentKey: Sendable {
  fileprivate let options: KeyOptions
  fileprivate let secret: GivenSecret
  /// What the person at the terminal was asked for.
  fileprivate let asked: SlotKind?

  /// What opens one of the files: the key itself, or the keyring beside it that the key opens.
  ///
  /// A keyring that has no key of the file is ignored with a warning if the key is the file's own.
  func key(for path: String) throws -> VaultKey {
    guard let keyring = try options.keyring(of: path) else {
      if !options.noKeyring, let left = try? VaultKeyring(ofVaultAt: path), left.exists {
        warnOfIgnored(
          left, "was made for a file that was never finished", "'doctor --clean' removes it")
      }
      return secret.key
    }
    if !options.slots.isGiven, (try? keyring.state) == .ofAnotherFile, isOwnKey(of: path) {
      warnOfIgnored(keyring, "holds no key of the file", "Move it away if no copy needs it")
      return secret.key
    }
    let slotKey = try options.slots.slotKey(
      secret, keyring, asked: asked, isRaw: options.sources.rawKey)
    return .keyring(slotKey, at: options.slots.keyring)
  }

  private func isOwnKey(of path: String) -> Bool {
    (try? DatabaseFile(at: path, key: secret.key).isOpened()) ?? false
  }

  private func warnOfIgnored(_ keyring: VaultKeyring, _ what: String, _ remedy: String) {
    Warning.write(
      "the keyring '\(PrintableText.escaped(keyring.path))' \(what) and is ignored: the key is tried as "
        + "the file's own. \(remedy).")
  }

  /// Whether a keyring opens the file.
  func usesKeyring(for path: String) throws -> Bool { try options.keyring(of: path) != nil }
}
