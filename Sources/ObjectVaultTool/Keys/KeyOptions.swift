internal import ArgumentParser
import ObjectVaultConformance
import ObjectVaultCore

/// The key of a file that exists; the same for every subcommand that opens one.
struct KeyOptions: ParsableArguments, Sendable {
  @OptionGroup var sources: KeySourceOptions

  @OptionGroup var slots: SlotOptions

  @Flag(help: "The key is the file's own, also where a keyring lies beside it.")
  var noKeyring = false

  @OptionGroup var verbose: VerboseOption

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

  /// Opens a file with its key. A key that is typed and rejected is asked for again.
  ///
  /// - Parameter body: Opens the file.
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

  /// Returns the key of files, proved before a new key is asked for. A key that is typed and
  /// rejected is asked for again.
  ///
  /// Nothing is proved in advance if neither this key nor the new one is typed: the work itself
  /// proves the key.
  ///
  /// - Parameters:
  ///   - newKeys: The options of the new key, if it may be asked for.
  ///   - file: Returns a file with a key.
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
          // The work reports it, unless a new key would be asked for before.
          if paths.count == 1, newKeys?.isAsked == true { throw error }
          return key
        }
      }
      if let rejection { throw rejection }
      return key
    }
  }

  /// The key of several files, each of which may have a keyring. It is asked for once.
  ///
  /// - Throws: ``ToolError`` where a keyring is named that cannot be the one of all files.
  private func asked(for paths: [String]) throws -> PresentKey {
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
    (try? DatabaseFile(at: path, key: secret.key).prove()) != nil
  }

  private func warnOfIgnored(_ keyring: VaultKeyring, _ what: String, _ remedy: String) {
    Warning.write(
      "the keyring '\(PrintableText.escaped(keyring.path))' \(what) and is ignored: the key is tried as "
        + "the file's own. \(remedy).")
  }

  /// Returns the error of a rejected key with what may be the cause: a raw key that is not declared
  /// as one, or a keyring that is missing.
  func explained(_ error: VaultError, at path: String) -> VaultError {
    guard error.code == .wrongKey else { return error }
    var error = error
    if !options.sources.rawKey, secret.looksRaw {
      error.message += " It has the form of a raw key in hexadecimal: if it is one, say --raw-key."
    }
    guard !options.noKeyring, !options.slots.isGiven,
      let keyring = try? VaultKeyring(ofVaultAt: path), !keyring.exists
    else { return error }
    let detail =
      "If its key is in a keyring: there is none at '\(PrintableText.escaped(keyring.path))'; "
      + "--keyring PATH says where it lies."
    error.detail = [error.detail, detail].compactMap(\.self).joined(separator: " ")
    return error
  }

  /// Whether a keyring opens the file.
  func usesKeyring(for path: String) throws -> Bool { try options.keyring(of: path) != nil }
}
