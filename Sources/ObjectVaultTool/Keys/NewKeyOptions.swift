internal import ArgumentParser
import ObjectVaultCore

/// The kinds of key for a new slot of a keyring, on the command line.
enum NewSlotKind: String, ExpressibleByArgument, CaseIterable, Sendable {
  case passphrase
  case keyFile = "key-file"
  case raw

  var slotKind: SlotKind {
    switch self {
    case .passphrase: .passphrase
    case .keyFile: .keyFile
    case .raw: .raw
    }
  }
}

/// The source of a key that is added or replaces another one.
struct NewKeyOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Read the new key from this file, which only you can read (mode 0600), or from standard "
        + "input (-). One newline at its end is not part of it.",
      valueName: "path"),
    completion: .file())
  var newKeyFile: String?

  @Option(
    help: ArgumentHelp("Read the new key from this environment variable.", valueName: "name"))
  var newKeyEnv: String?

  @Option(
    help: ArgumentHelp("Read the new key from this open file descriptor.", valueName: "number"))
  var newKeyFd: Int32?

  @Flag(help: "The new key is raw, in hexadecimal: 64 digits, or 96 with the new salt of the file.")
  var newRawKey = false

  mutating func validate() throws { try choice(isRaw: newRawKey).validate() }

  func choice(isRaw: Bool) -> KeyChoice {
    KeyChoice(
      file: newKeyFile, environment: newKeyEnv, descriptor: newKeyFd, isRaw: isRaw,
      option: "--new-key")
  }

  /// Throws `ValidationError` if the present key would be read from the same descriptor.
  func refuseSharedDescriptor(with present: KeySourceOptions) throws {
    if present.usesStandardInput, choice(isRaw: false).usesStandardInput {
      throw ValidationError("Standard input cannot provide both keys. Read one from a file.")
    }
    if let descriptor = present.keyFd, descriptor == newKeyFd {
      throw ValidationError(
        "One descriptor cannot provide both keys. Use another one for --new-key-fd.")
    }
  }

  /// Whether the new key is requested on the terminal.
  var isAsked: Bool { choice(isRaw: false).isAsked }

  /// Whether an option for a new key was given.
  var isGiven: Bool { newRawKey || !choice(isRaw: false).isAsked }

  /// Returns the new key of a file.
  ///
  /// Without a source, it is requested twice on the terminal. `subject` is the purpose of the key
  /// in the question.
  func key(for subject: String, isRaw: Bool = false) throws -> VaultKey {
    let isRaw = isRaw || newRawKey
    let key = try choice(isRaw: isRaw).secret(
      isRaw ? .raw : .passphrase, for: subject, isNew: true
    ).key()
    Warning.write(ofNewKey: key.weakness, for: subject)
    return key
  }

  /// Returns the new key of a slot.
  ///
  /// Without a source, it is requested twice on the terminal.
  ///
  /// - Parameters:
  ///   - kind: The kind of key. By default, it is a passphrase, or raw with `--new-raw-key`.
  ///   - subject: The purpose of the key in the question.
  ///   - slot: The slot's name.
  /// - Returns: The key.
  /// - Throws: ``ToolError`` if a key file would have to be typed or no terminal is available.
  func slotKey(_ kind: NewSlotKind?, for subject: String, slot: String?) throws -> SlotKey {
    let kind = (kind ?? (newRawKey ? .raw : .passphrase)).slotKind
    let choice = choice(isRaw: kind == .raw)
    if kind == .keyFile, choice.isAsked {
      throw ToolError(
        .usage,
        "A key file cannot be typed. Use --new-key-file PATH, with 32 random bytes or more.")
    }
    let key = try choice.secret(kind, for: subject, isNew: true).slotKey(kind, slot: slot)
    Warning.write(ofNewKey: key.weakness, for: subject)
    return key
  }
}

/// The kind of a new slot, and its key provider.
struct NewSlotOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The kind of the new key: a passphrase, 32 random bytes or more in a file (key-file), "
        + "or hexadecimal digits (raw).",
      valueName: "kind"))
  var newKind: NewSlotKind?

  @Option(
    help: ArgumentHelp(
      "Let this key provider, the program 'objectvault-key-NAME', open the new slot.",
      valueName: "name"))
  var newProvider: String?

  @Option(
    help: ArgumentHelp(
      "The settings of the new key provider, which are not secret.", valueName: "text"))
  var newProviderSettings: String?

  /// Whether an option was given.
  var isGiven: Bool { newKind != nil || newProvider != nil }

  /// Returns the new key of a slot: that of the provider, or the given one.
  ///
  /// - Parameters:
  ///   - keys: The options of the new key.
  ///   - subject: The purpose of the key in the question.
  ///   - slot: The slot's name.
  /// - Returns: The key.
  /// - Throws: The errors of ``NewKeyOptions/slotKey(_:for:slot:)``.
  func slotKey(_ keys: NewKeyOptions, for subject: String, slot: String?) throws -> SlotKey {
    guard let newProvider else { return try keys.slotKey(newKind, for: subject, slot: slot) }
    return .provider(
      ProviderProgram(newProvider, settings: newProviderSettings ?? ""), slot: slot)
  }

  /// Throws `ValidationError` if the options contradict each other.
  func check(with keys: NewKeyOptions) throws {
    if newProviderSettings != nil, newProvider == nil {
      throw ValidationError("--new-provider-settings requires --new-provider.")
    }
    if newProvider != nil, newKind != nil || keys.isGiven {
      throw ValidationError("--new-provider cannot be combined with another new key.")
    }
    if keys.newRawKey, let newKind, newKind != .raw {
      throw ValidationError("--new-raw-key cannot be combined with --new-kind \(newKind.rawValue).")
    }
  }
}

/// The cost of opening a slot with a passphrase.
struct SlotCostOption: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The cost of each attempt to open the slot with a passphrase, 16 to 20: each step "
        + "doubles time and memory; 17 takes 128 MiB. Default: about half a second on this "
        + "machine.",
      valueName: "number"))
  var cost: Int?

  func validate() throws {
    if let cost, !(16...20).contains(cost) {
      throw ValidationError("--cost must be from 16 to 20, not \(cost).")
    }
  }
}
