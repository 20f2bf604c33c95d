internal import ArgumentParser
import ObjectVaultCore

/// What a new slot of a keyring is opened by, on the command line.
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

/// Where the key comes from that takes the place of another one, or is added.
struct NewKeyOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Read the new key from this file, which only you may read (mode 0600), or from standard input (-). One newline at its end is not part of it.",
      valueName: "path"),
    completion: .file())
  var newKeyFile: String?

  @Option(
    help: ArgumentHelp("Read the new key from this environment variable.", valueName: "name"))
  var newKeyEnv: String?

  @Option(
    help: ArgumentHelp("Read the new key from this open file descriptor.", valueName: "number"))
  var newKeyFd: Int32?

  @Flag(help: "The new key is a raw one in hexadecimal: 64 digits, or 96 with the file's new salt.")
  var newRawKey = false

  mutating func validate() throws { try choice(isRaw: newRawKey).validate() }

  func choice(isRaw: Bool) -> KeyChoice {
    KeyChoice(
      file: newKeyFile, environment: newKeyEnv, descriptor: newKeyFd, isRaw: isRaw,
      option: "--new-key")
  }

  /// - Throws: `ValidationError` where the present key would be read from the same descriptor.
  func refuseSharedDescriptor(with present: KeySourceOptions) throws {
    if present.usesStandardInput, choice(isRaw: false).usesStandardInput {
      throw ValidationError("Standard input cannot hold both keys.")
    }
    if let descriptor = present.keyFd, descriptor == newKeyFd {
      throw ValidationError(
        "One descriptor cannot hold both keys: --key-fd and --new-key-fd differ.")
    }
  }

  /// Whether the new key is asked for on the terminal.
  var isAsked: Bool { choice(isRaw: false).isAsked }

  /// Whether anything was said of a new key.
  var isGiven: Bool { newRawKey || !choice(isRaw: false).isAsked }

  /// The new key of a file; asks for it twice on the terminal where no source is given.
  ///
  /// - Parameter subject: What the key is for, as the question names it.
  func key(for subject: String, isRaw: Bool = false) throws -> VaultKey {
    let isRaw = isRaw || newRawKey
    let key = try choice(isRaw: isRaw).secret(
      isRaw ? .raw : .passphrase, for: subject, isNew: true
    ).key
    Warning.write(ofNewKey: key.weakness, for: subject)
    return key
  }

  /// The new key of a slot; asks for it twice on the terminal where no source is given.
  ///
  /// - Parameters:
  ///   - kind: What it is; a passphrase, or what `--new-raw-key` says, unless given.
  ///   - slot: The slot's name.
  func slotKey(_ kind: NewSlotKind?, for subject: String, slot: String?) throws -> SlotKey {
    let kind = (kind ?? (newRawKey ? .raw : .passphrase)).slotKind
    let choice = choice(isRaw: kind == .raw)
    if kind == .keyFile, choice.isAsked {
      throw ToolError(
        .usage,
        "A key file cannot be typed. Give --new-key-file PATH, with 32 random bytes or more.")
    }
    let key = try choice.secret(kind, for: subject, isNew: true).slotKey(kind, slot: slot)
    Warning.write(ofNewKey: key.weakness, for: subject)
    return key
  }
}

/// The kind of a new slot.
struct NewSlotOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "What the new key is: a passphrase, 32 random bytes or more in a file (key-file), or hexadecimal digits (raw).",
      valueName: "kind"))
  var newKind: NewSlotKind?

  /// - Throws: `ValidationError` where the options contradict each other.
  func check(with keys: NewKeyOptions) throws {
    if keys.newRawKey, let newKind, newKind != .raw {
      throw ValidationError("--new-raw-key does not go with --new-kind \(newKind.rawValue).")
    }
  }
}

/// The work of opening a slot by a passphrase.
struct SlotCostOption: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "The work of trying a passphrase on the slot, 16 to 20: each step doubles time and memory, 17 takes 128 MiB. About half a second on this machine unless given.",
      valueName: "number"))
  var cost: Int?

  func validate() throws {
    if let cost, !(16...20).contains(cost) {
      throw ValidationError("--cost takes 16 to 20, not \(cost).")
    }
  }
}
