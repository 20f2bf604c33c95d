internal import ObjectVaultCondition
internal import ObjectVaultCore

/// What a child does with one vault of the tests' notes. Each prints one line.
let vaultCommands: [String: @Sendable ([String]) -> Int32] = [
  // PATH TIMEOUT: inserts a note, waiting so many seconds for others.
  "vault-insert": { arguments in
    do {
      var configuration = VaultConfiguration()
      configuration.busyTimeout = Double(arguments[1]) ?? 5
      let vault = try Vault(
        at: arguments[0], key: .passphrase("correct horse"), configuration: configuration)
      let notes = try vault.store(named: "Note")
      var note = try DynamicObject(of: notes.classDescription)
      try note.set("text", to: .text("child"))
      try notes.insert(note)
      print("inserted")
      return 0
    } catch let error as VaultError {
      print(error.code)
      return 70
    } catch {
      print(error)
      return 71
    }
  }
]
