import ObjectVaultCore
import TestSupport
import Testing

@Suite("Stores by the names of classes and tables") struct NamedStoreTests {
  /// A class in a table.
  private func description(_ name: String, table: String) -> ClassDescription {
    ClassDescription(name, table: table, properties: [.init("text", type: .string)])
  }

  /// A vault with one object of each class, whose text is the name of its table.
  private func vault(_ classes: [ClassDescription]) throws -> TestVault {
    let test = try TestVault()
    for description in classes {
      var object = try DynamicObject(of: description)
      try object.set("text", to: .text(description.table))
      try test.vault.store(of: description).insert(object)
    }
    return test
  }

  @Test(
    "The name of a class comes before that of a table",
    arguments: [["Person", "Zeta"], ["Zeta", "Person"]])
  func classFirst(order: [String]) throws {
    let classes = [
      "Person": description("Former", table: "Person"),
      "Zeta": description("Person", table: "Zeta"),
    ]
    let test = try vault(order.compactMap { classes[$0] })
    let store = try test.vault.store(named: "Person")
    #expect(store.classDescription.table == "Zeta")
    #expect(try store.removeAll() == 1)
    #expect(try test.vault.store(named: "Former").first()?.value(of: "text") == .text("Person"))
    #expect(try test.vault.store(named: "Zeta").classDescription.name == "Person")
    try test.vault.removeStore(named: "Person")
    #expect(try test.vault.classes().map(\.table) == ["Person"])
    // The name is now only that of a table.
    #expect(try test.vault.store(named: "Person").classDescription.name == "Former")
  }

  @Test("A name of several classes needs the name of a table")
  func severalClasses() throws {
    let test = try vault([description("Item", table: "one"), description("Item", table: "two")])
    do {
      _ = try test.vault.store(named: "Item")
      Issue.record("One of two classes was chosen.")
    } catch let error as VaultError {
      #expect(error.code == .invalidArgument)
      #expect(error.message.contains("'one' and 'two'"))
    }
    #expect(code { try test.vault.removeStore(named: "Item") } == .invalidArgument)
    for table in ["one", "two"] {
      #expect(try test.vault.store(named: table).first()?.value(of: "text") == .text(table))
    }
  }

  @Test("A name of several classes that is also a table means the class in that table")
  func severalWithTable() throws {
    let test = try vault([description("Item", table: "one"), description("Item", table: "Item")])
    #expect(try test.vault.store(named: "Item").classDescription.table == "Item")
    #expect(try test.vault.store(named: "one").classDescription.table == "one")
  }
}
