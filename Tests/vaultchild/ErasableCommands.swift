import Foundation
import ObjectVaultCore
import TestSupport

/// The commands that use erasable keys in the folder that is their first argument.
let erasableCommands: [String: @Sendable ([String]) -> Int32] = [
  // FOLDER WORKER COUNT: inserts COUNT donors with shared keys, and prints how many are readable.
  "erasable": { arguments in
    answering {
      let vault = try erasableVault(arguments[0])
      let donors = try vault.store(of: Donor.self)
      for number in 0..<(Int(arguments[2]) ?? 0) {
        let name = "\(arguments[1])-\(number)"
        try donors.insert(Donor(name, key: "k\(number)", iban: "CH\(name)"))
      }
      let all = try donors.all()
      say("\(all.count { $0.iban != nil }) of \(all.count)")
    }
  },
  // FOLDER NAME: destroys a key.
  "destroy-erasable": { arguments in
    answering {
      try ErasableKeys.ofTests(in: URL(fileURLWithPath: arguments[0])).destroy(arguments[1])
    }
  },
  // FOLDER: ends after the key is made, before its value is stored.
  "erasable-crash": { arguments in
    answering {
      let vault = try erasableVault(arguments[0])
      let donors = try vault.store(of: Donor.self)
      try vault.transaction {
        try donors.insert(Donor("ada", iban: "CH1"))
        kill(getpid(), SIGKILL)
      }
    }
  },
]

private func erasableVault(_ folder: String) throws -> Vault {
  let folder = URL(fileURLWithPath: folder)
  return try Vault(
    at: folder.appendingPathComponent("a.vault").path, key: .ofTests,
    configuration: try .erasing(.ofTests(in: folder)))
}

private func answering(_ body: () throws -> Void) -> Int32 {
  do {
    try body()
    return 0
  } catch {
    report("\(error)")
    return 1
  }
}
