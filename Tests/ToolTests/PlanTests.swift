import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault plan") struct PlanTests {
  /// Two rooms; three seats go with theirs, one key forgets its room, one lease forbids what ends it.
  private func filled() throws -> TestTool {
    let tool = try TestTool.withVault()
    let vault = try tool.opened()
    defer { vault.close() }
    let room = ClassDescription(
      "Room", properties: [.init("name", type: .string)], objectID: ["name"])
    func referring(_ name: String, _ rule: DeleteRule) -> ClassDescription {
      ClassDescription(
        name, properties: [.init("room", type: .string, isOptional: true)],
        references: [
          .init("room", target: "Room", targetColumns: ["name"], onDelete: rule)
        ])
    }
    let rooms = try vault.store(of: room)
    for name in ["A", "B"] { try rooms.insert(object(of: room, "name", name)) }
    for (name, rule, values) in [
      ("Seat", DeleteRule.cascade, ["A", "A", "B"]), ("Key", .nullify, ["A"]),
      ("Lease", .deny, ["B"]),
    ] {
      let description = referring(name, rule)
      let store = try vault.store(of: description)
      for value in values {
        try store.insert(object(of: description, "room", value))
      }
    }
    return tool
  }

  private func object(
    of description: ClassDescription, _ property: String, _ value: String
  ) throws -> DynamicObject {
    var object = try DynamicObject(of: description)
    try object.set(property, to: .text(value))
    return object
  }

  @Test("shows what would go, what would forget and what forbids, and changes nothing")
  func table() throws {
    let tool = try filled()
    let before = try tool.content()
    let allowed = try tool.run("plan", "Room", "name == 'A'")
    #expect(allowed.code == 0, "\(allowed.errors)")
    #expect(
      allowed.output == """
        class  removed  set to nil  forbidding
        -----  -------  ----------  ----------
        Room         1           0           0
        Seat         2           0           0
        Key          0           1           0

        """, "\(allowed.output)")
    let denied = try tool.run("plan", "Room")
    #expect(denied.code == 1, "\(denied.errors)")
    #expect(denied.output.contains("Lease        0           0           1"), "\(denied.output)")
    #expect(try tool.content() == before)
  }

  @Test("forbids with status 1 also if the reader of the output went away")
  func closedOutput() throws {
    let tool = try filled()
    let result = try SpawnedProgram.runWithClosedOutput(
      "objectvault", ["plan", tool.vault, "Room"] + tool.keyOptions)
    #expect(result.code == 1, "\(result.errors)")
  }

  @Test("is JSON for programs")
  func json() throws {
    let tool = try filled()
    let result = try tool.run("plan", "Room", "name == %@", "--arg", "B", "--format", "json")
    #expect(result.code == 1, "\(result.errors)")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(object["allowed"] as? Bool == false)
    let classes = try #require(object["classes"] as? [[String: Any]])
    #expect(classes.map { $0["name"] as? String } == ["Room", "Seat", "Lease"])
    #expect(classes.map { $0["removed"] as? Int } == [1, 1, 0])
    #expect(classes.map { $0["denying"] as? Int } == [0, 0, 1])
  }

  @Test("of a removal is what its question says, and the removal does")
  func removal() throws {
    let tool = try filled()
    let asked = try tool.run("remove", "Room", "name == 'A'")
    #expect(asked.code == 64)
    #expect(
      asked.errors.contains("1 object of class 'Room', 2 objects of class 'Seat' would be removed"),
      "\(asked.errors)")
    #expect(try tool.run("remove", "Room", "name == 'A'", "--yes").code == 0)
    #expect(try tool.run("query", "Seat", "--count").output == "1\n")
    let denied = try tool.run("remove", "Room", "name == 'B'", "--yes")
    #expect(denied.code == 65, "\(denied.errors)")
    #expect(denied.errors.contains("Lease"), "\(denied.errors)")
  }
}
