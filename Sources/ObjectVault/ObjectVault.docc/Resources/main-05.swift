import Foundation
import ObjectVault

@Stored
struct Note {
  var title: String
  var text: String
  @Indexed var created: Date
  var tags: [String] = []
}

let key = VaultKey.source(.environment("NOTES_PASSPHRASE"))
let vault = try Vault(at: "notes.vault", key: key)
try vault.open()
