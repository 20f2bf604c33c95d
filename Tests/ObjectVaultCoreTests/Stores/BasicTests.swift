import ObjectVaultCore
import TestSupport
import Testing

@Suite struct BasicTests {
  @Test func smoke() async throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .passphrase("correct horse"))
    let people = try await vault.store(of: Person.self)
    func sync() throws {
      let li = try people.insert(Person(name: "Li", age: 20))
      #expect(li.objectID == 1)
      try people.insert(contentsOf: [Person(name: "Bo", age: 3), Person(name: "Al", age: 30)])
      #expect(try people.all().map(\.name) == ["Li", "Bo", "Al"])
      #expect(
        try people.where("age >= %@", 20).sorted(by: "name").all().map(\.name) == ["Al", "Li"])
      #expect(try people.find(2)?.name == "Bo")
      try vault.transaction {
        try people.remove(id: 2)
        #expect(try people.count() == 2)
      }
      var l = li
      l.note = "x"
      try people.update(l)
      #expect(try people.find(1)?.note == "x")
      #expect(throws: VaultError.self) { try people.where("agee > 3") }
    }
    try sync()
    #expect(try await people.count() == 2)
  }
}
