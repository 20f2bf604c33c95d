import ObjectVaultCore

import ObjectVaultPlatform

/// Checks of the system limits of this process, which also apply to the user's other programs.
enum ProcessChecks {
  static func all() -> [Check] { [memoryLocking, coreDumps, fileMask] }

  private static var memoryLocking: Check {
    guard let failure = MemoryLocking.failure() else {
      return Check(subject: "memory locking", result: "keys stay out of swap")
    }
    return Check(
      subject: "memory locking", result: "not possible (\(failure)), so keys can reach swap",
      remedy: "Raise the limit (ulimit -l, or memlock in /etc/security/limits.conf), or encrypt "
        + "the swap.")
  }

  private static var coreDumps: Check {
    // The tool turns off its own core dumps. Other programs get the limit that it was started with.
    if let limit = CrashReports.inheritedCoreLimit, limit.rlim_cur == 0 {
      return Check(subject: "core dumps", result: "off")
    }
    return Check(
      subject: "core dumps",
      result:
        "on: a crash of a program can write decrypted pages to a file (this tool writes none)",
      remedy: "Switch them off for programs that open vaults (ulimit -c 0).")
  }

  private static var fileMask: Check {
    // The mask cannot be read without setting it.
    let mask = umask(0o077)
    umask(mask)
    let digits = String(mask, radix: 8)
    let text = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    let note = "vaults and exports are always 0600"
    guard mask & 0o022 != 0o022 else {
      return Check(subject: "umask", result: "\(text); \(note)")
    }
    return Check(
      subject: "umask", result: "\(text): others may change the files that you create (\(note))",
      remedy: "Set it to 077 (umask 077) before you redirect output into files.")
  }
}
