internal import ArgumentParser
import ObjectVaultDriver
import ObjectVaultTerminal
import ObjectVaultCore

/// The keys of the slots that a new master key keeps.
///
/// Each key must be given, because the new master key is wrapped with it.
struct KeptSlotOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "With --revoke: keep this slot, whose key is in the file.", valueName: "slot=path"))
  var keepKeyFile: [SlotAssignment] = []

  @Option(
    help: ArgumentHelp(
      "With --revoke: keep this slot, whose key is in the environment variable.",
      valueName: "slot=name"))
  var keepKeyEnv: [SlotAssignment] = []

  @Option(
    help: ArgumentHelp(
      "With --revoke: keep this slot, whose key is read from the open file descriptor.",
      valueName: "slot=number"))
  var keepKeyFd: [SlotAssignment] = []

  @Option(
    help: ArgumentHelp(
      "With --revoke: keep this slot of the key provider.", valueName: "slot=name"))
  var keepProvider: [SlotAssignment] = []

  @Option(
    help: ArgumentHelp(
      "With --revoke and --yes: remove this slot too. Each removed slot must be named.",
      valueName: "slot"))
  var drop: [String] = []

  func validate() throws {
    for assignment in keepKeyFd where Int32(assignment.value).map({ $0 < 0 }) ?? true {
      throw ValidationError(
        "--keep-key-fd needs a file descriptor of 0 or more, not '\(assignment.value)'.")
    }
    // The bytes of a name select the slot.
    if let name = drop.first(where: { slotNames.contains(where: $0.hasSameBytes(as:)) }) {
      throw ValidationError("The slot '\(name)' cannot be both kept and removed.")
    }
    if let name = slotNames.first(where: { slotNames.count(where: $0.hasSameBytes(as:)) > 1 }) {
      throw ValidationError("Use one key for the slot '\(name)', not several.")
    }
  }

  var isEmpty: Bool { all.isEmpty && drop.isEmpty }

  /// The names of the slots with a given key.
  var slotNames: [String] { all.map(\.slot) }

  private var all: [SlotAssignment] { keepKeyFile + keepKeyEnv + keepKeyFd + keepProvider }

  /// Returns the given key of a slot, with the slot's kind.
  func key(of slot: VaultKeyring.Slot) -> SlotKey? {
    func value(_ assignments: [SlotAssignment]) -> String? {
      assignments.first { slot.isNamed($0.slot) }?.value
    }
    if let provider = value(keepProvider) {
      return .provider(ProviderProgram(provider), slot: slot.name)
    }
    let source: KeySource? =
      value(keepKeyFile).map { .file($0) } ?? value(keepKeyEnv).map { .environment($0) }
      ?? value(keepKeyFd).flatMap(Int32.init).map { .descriptor($0) }
    return source.map { .source($0, as: slot.kind, slot: slot.name) }
  }
}

extension VaultKeyring.Slot {
  /// Returns whether a name has the bytes of the slot's name, as the keyring compares names.
  func isNamed(_ name: String) -> Bool { self.name.hasSameBytes(as: name) }
}

/// `SLOT=VALUE` on the command line.
///
/// The slot's name ends at the first `=`.
struct SlotAssignment: ExpressibleByArgument, Sendable {
  let slot: String
  let value: String

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex,
      argument.index(after: sign) != argument.endIndex
    else { return nil }
    slot = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
  }
}
