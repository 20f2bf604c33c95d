import ObjectVaultCore
import ObjectVaultSession
import TestSupport
import Testing

@Suite("A trigger whose name is equal to that of another in a different Unicode form")
struct UnicodeTriggerTests {
  private func kinds(_ more: [PropertyDescription] = []) -> ClassDescription {
    ClassDescription(
      "Kind",
      properties: [
        PropertyDescription("name", type: .string),
        PropertyDescription("picture", type: .data).shared(),
      ] + more, options: TableOptions(history: .changes))
  }

  @Test("is a trigger of another program", arguments: ["history_insert", "shared_insert"])
  func sameName(_ ending: String) throws {
    let test = try TestVault()
    let store = try test.vault.store(of: kinds())
    try store.insert(
      DynamicObject(
        of: kinds(), ["name": .text("a"), "picture": .blob([UInt8](repeating: 7, count: 60))]))
    // A KELVIN SIGN is equal to the letter K.
    try test.vault.file().transaction {
      try $0.execute(
        "CREATE TRIGGER \"objectvault_\u{212A}ind_\(ending)\" AFTER INSERT ON Kind "
          + "BEGIN SELECT 1; END")
    }
    #expect(try test.vault.verify().isSound)
    try test.vault.recountSharedBlobs()
    test.vault.close()
    let again = try test.another()
    let more = [PropertyDescription("rank", type: .int, isOptional: true)]
    #expect(try again.store(of: kinds(more)).count() == 1)
    #expect(try again.verify().isSound)
  }
}
