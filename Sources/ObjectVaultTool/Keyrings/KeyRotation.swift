import ObjectVaultConformance
import ObjectVaultCore

/// The encryption of a vault under another data key of its keyring, with progress.
struct KeyRotation {
  let options: KeyringOptions
  let work: FileWorkOptions

  /// - Parameter kept: The slots that go over to a new master key; `nil` where it stays.
  func rotate(_ present: SlotKey, keeping kept: [SlotKey]?) throws -> CipherFacts {
    try work.run(on: options.vault, stopped: "'\(options.name)' is as it was.") { progress in
      try DatabaseFile(
        at: options.vault, key: .keyring(present, at: options.slots.keyring),
        busyTimeout: work.busyTimeout
      ).rotate(keeping: kept, progress: progress)
    }
  }

  /// Makes a new master key, after saying who loses access by it.
  ///
  /// - Returns: The names of the slots that went: "'bob', 'paper'", or "none".
  func revoke(
    _ keyring: VaultKeyring, _ present: SlotKey, removing removed: String?,
    keeping given: KeptSlotOptions, isSilent: Bool
  ) throws -> String {
    let revocation = Revocation(
      keyring: keyring, vault: options.name, present: present, given: given, isSilent: isSilent)
    let plan = try revocation.plan(removing: removed)
    try revocation.confirm(plan)
    _ = try rotate(present, keeping: plan.kept)
    let names = plan.dropped.map { "'\(PrintableText.escaped($0))'" }
    return names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
