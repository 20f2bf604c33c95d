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

plan.text = "Meet at the bridge."
try notes.update(plan)

let yesterday = Date.now.addingTimeInterval(-86_400)
let recent = try notes.where { $0.created >= yesterday }
  .sorted(by: "title").range(offset: 0, length: 20).all()
for note in recent {
  print("\(note.title): \(note.text)")
}

let term = "flour"
print("\(try notes.where("text CONTAINS %@", term).count()) notes contain '\(term)'.")

try notes.where("title == %@", "Shopping").remove()

do {
  try Vault(at: "notes.vault", key: .passphrase("a guess")).open()
} catch let error as VaultError where error.code == .wrongKey {
  print(error.message)
}
