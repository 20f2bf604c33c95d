import ObjectVaultCore
import ObjectVaultModel
import TestSupport
import Testing

@testable import ObjectVaultDriver
@testable import ObjectVaultStores

@Suite("Sealed properties of classes with references")
struct SealedReferenceTests {
  private let folder: TemporaryFolder
  private let vault: Vault
  private let visits: ObjectStore<DynamicObject>

  private static let room = ClassDescription(
    "Room", properties: [PropertyDescription("name", String.self)], objectID: ["name"])
  private static let visit = ClassDescription(
    "Visit",
    properties: [
      PropertyDescription("note", String.self).sealed(), PropertyDescription("day", Int.self),
      PropertyDescription("room", String?.self),
    ], references: [ReferenceDescription("room", target: "Room", targetColumns: ["name"])])

  init() throws {
    folder = try TemporaryFolder()
    vault = try Vault(
      at: folder.file("a.vault"), key: .ofTests, configuration: .sealing(try .ofTests(1)))
    let rooms = try vault.store(of: Self.room)
    try rooms.insert(DynamicObject(of: Self.room, ["name": .text("r")]))
    visits = try vault.store(of: Self.visit, with: [Self.room])
  }

  private func visit(room: String) throws -> DynamicObject {
    try DynamicObject(
      of: Self.visit, ["note": .text("secret"), "day": .integer(3), "room": .text(room)])
  }

  @Test("The check of references gets no plaintext of sealed values", .covers("E1"))
  func plaintext() throws {
    let object = try visit(room: "missing")
    try vault.opened().read { session in
      var isEngine: [Bool] = []
      let error = try visits.access.dangling(on: session) { binder in
        isEngine.append(binder.statement != nil)
        try object.encode(into: binder)
      }
      #expect(error?.code == .danglingReference)
      #expect(isEngine == [false])
    }
  }

  @Test("A missing object of a reference is named, and nothing is stored", .covers("E1"))
  func dangling() throws {
    try visits.insert(visit(room: "r"))
    let inserted = #expect(throws: VaultError.self) { try visits.insert(visit(room: "missing")) }
    #expect(inserted?.code == .danglingReference)
    var stored = try #require(try visits.first())
    try stored.set("room", to: .text("missing"))
    let updated = #expect(throws: VaultError.self) { try visits.update(stored) }
    #expect(updated?.code == .danglingReference)
    #expect(try visits.all().map { try $0.value(of: "room") } == [.text("r")])
  }
}
