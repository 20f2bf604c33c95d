internal import ArgumentParser
import ObjectVaultTerminal
import ObjectVaultCore

/// The key of an existing file, for every subcommand that opens one.
struct KeyOptions: ParsableArguments, Sendable {
  @OptionGroup var sources: KeySourceOptions

  @OptionGroup var slots: SlotOptions

  @Flag(help: "The key is that of the file, even if a keyring is next to it.")
  var noKeyring = false

  @OptionGroup var verbose: VerboseOption

  func validate() throws {
    try sources.check(isRecoveryCode: slots.recoveryCode)
    if noKeyring, needsKeyring {
      throw ValidationError(
        "--no-keyring cannot be combined with --keyring, --slot, --recovery-code, --identity or "
          + "--provider.")
    }
  }

  /// Whether an option refers to a keyring.
  var needsKeyring: Bool { slots.isGiven || sources.needsKeyring }

  /// Whether the key is read from standard input.
  var usesStandardInput: Bool { sources.usesStandardInput }

  /// Opens a file with its key.
  ///
  /// A typed key that is rejected is requested again. `body` opens the file.
  func opening<R>(_ path: String, _ body: (VaultKey) throws -> R) throws -> R {
    try sources.choice.retrying {
      let key = try asked(for: [path])
      do {
        return try body(key.key(for: path))
      } catch let error as VaultError {
        throw key.explained(error, at: path)
      }
    }
  }

  /// Returns the key of files, tested before a new key is requested.
  ///
  /// A typed key that is rejected is requested again. If neither this key nor the new one is typed,
  /// the key is not tested in advance: the work itself tests it.
  ///
  /// - Parameters:
  ///   - paths: The paths of the files.
  ///   - newKeys: The options of the new key, if it can be requested.
  ///   - file: A closure that returns the file at a path with a key.
  /// - Returns: The key.
  /// - Throws: The first rejection if the key opens none of the files.
  func proved(
    for paths: [String], before newKeys: NewKeyOptions? = nil,
    _ file: (_ path: String, _ key: VaultKey) throws -> DatabaseFile
  ) throws -> PresentKey {
    guard sources.choice.isAsked || newKeys?.isAsked == true else { return try asked(for: paths) }
    return try sources.choice.retrying {
      let key = try asked(for: paths)
      var rejection: VaultError?
      for path in paths {
        do {
          try file(path, key.key(for: path)).prove()
          return key
        } catch let error as VaultError where error.rejectsKey {
          rejection = rejection ?? key.explained(error, at: path)
        } catch {
          // The work reports this error, unless a new key would be requested before.
          if paths.count == 1, newKeys?.isAsked == true { throw error }
          return key
        }
      }
      if let rejection { throw rejection }
      return key
    }
  }

  /// Returns the key of several files, each with or without a keyring.
  ///
  /// It is requested once.
  ///
  /// - Throws: ``ToolError`` if a keyring is given for several files.
  private func asked(for paths: [String]) throws -> PresentKey {
    if paths.count > 1, slots.keyring != nil {
      throw ToolError(
        .usage, "--keyring requires a single file. Run the command for each file, or omit it.")
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

  /// Returns the keyring that opens a file, or `nil` if the file has its own key.
  ///
  /// A keyring of a file that was never finished is ignored, unless the options refer to it.
  func keyring(of path: String) throws -> VaultKeyring? {
    if noKeyring { return nil }
    let keyring = try VaultKeyring(ofVaultAt: path, at: slots.keyring)
    if slots.keyring != nil { return keyring }
    if keyring.exists {
      let isIgnored = !needsKeyring && (try? keyring.state) == .neverFinished
      return isIgnored ? nil : keyring
    }
    guard !needsKeyring else {
      throw ToolError(
        .noInput,
        "There is no keyring at '\(PrintableText.escaped(keyring.path))', which --slot, "
          + "--recovery-code, --identity and --provider require. If it is elsewhere, use --keyring PATH."
      )
    }
    return nil
  }
}

/// The present key of files, as it was given for all of them.
struct PresentKey: Sendable {
  fileprivate let options: KeyOptions
  fileprivate let secret: GivenSecret
  /// The kind of key that the user was asked for.
  fileprivate let asked: SlotKind?

  /// Returns the key of one of the files: the secret itself, or its keyring that the secret opens.
  ///
  /// A keyring without a key for the file is ignored with a warning if the secret is the file's own
  /// key.
  func key(for path: String) throws -> VaultKey {
    guard let keyring = try options.keyring(of: path) else {
      if !options.noKeyring, let left = try? VaultKeyring(ofVaultAt: path), left.exists {
        warnOfIgnored(
          left, "was created for a file that was never completed",
          "Remove it with 'doctor --clean'")
      }
      return try secret.key()
    }
    if !options.needsKeyring, (try? keyring.state) == .ofAnotherFile, isOwnKey(of: path) {
      warnOfIgnored(keyring, "has no key for the file", "Move it away if no copy needs it")
      return try secret.key()
    }
    let slotKey = try options.slots.slotKey(
      secret, keyring, asked: asked, isRaw: options.sources.rawKey)
    return .keyring(slotKey, at: options.slots.keyring)
  }

  private func isOwnKey(of path: String) -> Bool {
    (try? DatabaseFile(at: path, key: secret.key()).prove()) != nil
  }

  private func warnOfIgnored(_ keyring: VaultKeyring, _ what: String, _ remedy: String) {
    Warning.write(
      "the keyring '\(PrintableText.escaped(keyring.path))' \(what) and is ignored: the key is "
        + "used as the file's own. \(remedy).")
  }

  /// Returns the error of a rejected key with a possible cause.
  ///
  /// The causes are a raw key that is not declared as one, or a missing keyring.
  func explained(_ error: VaultError, at path: String) -> VaultError {
    guard error.code == .wrongKey else { return error }
    var error = error
    if !options.sources.rawKey, secret.looksRaw {
      error.message += " It looks like a raw key in hexadecimal. If it is one, use --raw-key."
    }
    guard !options.noKeyring, !options.needsKeyring,
      let keyring = try? VaultKeyring(ofVaultAt: path), !keyring.exists
    else { return error }
    let detail =
      "There is no keyring at '\(PrintableText.escaped(keyring.path))'. If the key is in a keyring "
      + "elsewhere, use --keyring PATH."
    error.detail = [error.detail, detail].compactMap(\.self).joined(separator: " ")
    return error
  }
}
