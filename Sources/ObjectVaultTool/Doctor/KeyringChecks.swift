import ObjectVaultTerminal
import ObjectVaultCore

/// Checks of the keyring next to a vault.
///
/// No slot is opened, so the content is not authenticated.
enum KeyringChecks {
  /// Returns the checks of a keyring.
  ///
  /// - Parameters:
  ///   - vault: The path of the vault, which need not exist.
  ///   - start: The first bytes of the vault.
  /// - Returns: The checks.
  static func all(besideVault vault: String, start: [UInt8]) -> [Check] {
    let file = KeyringFile(besideVault: vault)
    guard file.exists else { return retired(file) }
    let name = PrintableText.escaped(file.path)
    var checks: [Check]
    do {
      let contents = try file.read()
      checks = [
        slots(name, contents.keyring, file, spareReason: contents.spareReason),
        epochs(name, contents.keyring, start, vault),
      ]
      if contents.spareReason == nil, let spare = spare(file, of: contents.keyring) {
        checks.append(spare)
      }
    } catch {
      checks = [
        Check(
          subject: name, result: error.message,
          remedy: "Restore the keyring from a backup. The vault cannot be opened without it.")
      ]
    }
    return checks + [file.path, file.sparePath].compactMap(rights) + retired(file)
  }

  /// Returns checks that report the keyrings that the vault had before it got its own key.
  private static func retired(_ file: KeyringFile) -> [Check] {
    file.retiredPaths.map {
      Check(
        subject: PrintableText.escaped($0),
        result: "a keyring that the vault no longer uses; older copies of the vault may need it")
    }
  }

  private static func slots(
    _ name: String, _ keyring: Keyring, _ file: KeyringFile, spareReason: String?
  ) -> Check {
    let slots = keyring.slots.map { "\(PrintableText.escaped($0.name)) (\($0.kind.name))" }
    let text = "\(counted(slots.count, "slot")): \(slots.joined(separator: ", "))"
    guard let spareReason else { return Check(subject: name, result: text) }
    let spare = PrintableText.escaped(file.sparePath)
    let isMissing = !ExistingFile.isTaken(file.path)
    return Check(
      subject: name,
      result: (isMissing ? "missing" : "not usable") + "; its spare copy is used (\(text))"
        + (isMissing ? "" : ". \(spareReason)"),
      remedy: "Run: cp -p '\(spare)' '\(name)'")
  }

  /// Returns whether the keyring and the file belong together, judged by the file's salt.
  private static func epochs(
    _ name: String, _ keyring: Keyring, _ start: [UInt8], _ vault: String
  ) -> Check {
    let subject = "keyring and vault"
    let start = FileStart(start)
    // If another process is working on the vault, this is the state from before that work.
    let state = (try? VaultKeyring(ofVaultAt: vault).state) ?? .ofAnotherFile
    switch state {
    case .matches:
      let isPending = start.flatMap { keyring.epoch(beside: $0) }?.state == .pending
      return Check(
        subject: subject,
        result: isPending
          ? "match; the next opening records the finished rotation"
          : "match; only a key can confirm it")
    case .unfinishedRotation:
      return Check(
        subject: subject,
        result:
          "a change of the data key is unfinished: the vault is still encrypted with the old data "
          + "key, which older keyrings and removed keys open",
        remedy: "Run 'keys rotate'.")
    case .neverFinished:
      return Check(
        subject: subject,
        result:
          "the keyring is that of a file that was never completed, or the start of this file is "
          + "damaged; it has no key for this file",
        remedy:
          "If the file opens with its own key, run the interrupted command again, or rename the "
          + "keyring with 'doctor --clean'. Until then it is ignored. Otherwise use 'salvage' with "
          + "--keyring.")
    case .ofAnotherFile:
      return Check(
        subject: subject, result: "the keyring has no key for this file",
        remedy:
          "Restore a keyring and a vault that belong together. If the vault has its own key, open "
          + "it with --no-keyring and move '\(name)' away.")
    }
  }

  private static func spare(_ file: KeyringFile, of keyring: Keyring) -> Check? {
    let name = PrintableText.escaped(file.sparePath)
    let copying = "cp -p '\(PrintableText.escaped(file.path))' '\(name)'"
    let command = "Run: \(copying)"
    guard ExistingFile.isTaken(file.sparePath) else {
      return Check(subject: name, result: "missing, so there is no spare copy", remedy: command)
    }
    do {
      let spare = try KeyringFile(at: file.sparePath).read().keyring
      if spare == keyring { return nil }
      return Check(
        subject: name,
        result: spare.generation > keyring.generation
          ? "differs from the keyring: a change was interrupted and did not take effect"
          : "differs from the keyring: one of the two was damaged, or restored from a backup",
        remedy: "Run 'keys test'. If it warns that it used the spare copy, run: cp -p '\(name)' "
          + "'\(PrintableText.escaped(file.path))'. If it opens a slot without a warning, run: "
          + "\(copying)")
    } catch {
      return Check(subject: name, result: error.message, remedy: command)
    }
  }

  private static func rights(_ path: String) -> Check? {
    guard let file = ExistingFile(path), file.mode & 0o077 != 0 else { return nil }
    let name = PrintableText.escaped(path)
    return Check(
      subject: name,
      result: "rights 0\(String(file.mode & 0o7777, radix: 8)): others may read or change it, and "
        + "guess its passphrases",
      remedy: "Run: chmod 600 '\(name)'. Anyone who has read it can continue to guess. Change weak "
        + "passphrases with 'keys change', then run 'keys rotate --revoke': until then an old "
        + "passphrase and a copy of the keyring open the vault.")
  }
}
