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
let notes = try vault.store(of: Note.self)

var plan = try notes.insert(Note(title: "Plan", text: "Meet at the mill.", created: .now))
print("The vault stored the note with the ID \(plan.objectID ?? 0).")

try notes.insert(contentsOf: [
  Note(title: "Shopping", text: "Bread, tea", created: .now, tags: ["home"]),
  Note(title: "Recipe", text: "Two eggs, flour", created: .now, tags: ["home", "kitchen"]),
])
