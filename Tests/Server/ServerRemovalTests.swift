import ObjectVaultCondition
import ObjectVaultCore
import TestSupport
import Testing

import ObjectVaultServer

@Suite("Removals on a PostgreSQL server", .enabled(if: Server.address != nil))
struct ServerRemovalTests: ServerUpgrading {
  let schema = Server.newSchema()

  private func member(_ name: String, of other: String) -> ClassDescription {
    ClassDescription(
      name, properties: [PropertyDescription("other", Int64?.self)],
      references: [ReferenceDescription("other", target: other, onDelete: .cascade)])
  }

  /// Removes objects of two classes that remove each other, and of one that is removed with them.
  private func check(_ database: some Database) throws {
    let classes = [member("User", of: "Profile"), member("Profile", of: "User")]
    let users = try database.store(of: classes[0], with: [classes[1]])
    let profiles = try database.store(of: classes[1], with: [classes[0]])
    let visits = try database.store(of: member("Visit", of: "User"), with: classes)
    try insert([[:], [:], [:]], users)
    try insert([["other": .integer(1)], ["other": .integer(2)], [:]], profiles)
    try insert([["other": .integer(1)], ["other": .integer(3)]], visits)
    // The first user removes the first profile, which removes the second user.
    var second = try #require(try users.find(DynamicObjectID(.integer(2))))
    try second.set("other", to: .integer(1))
    try users.update(second)
    let first = try #require(try users.find(DynamicObjectID(.integer(1))))
    let plan = try users.deletionPlan(of: first)
    #expect(plan.removed == 5 && plan.isAllowed)
    #expect(try users.deletionPlan().removed == 7)
    try database.read {
      let again = try users.deletionPlan(of: first)
      #expect(again == plan)
    }
    try users.remove(first)
    #expect(try users.count() == 1 && profiles.count() == 1 && visits.count() == 1)
  }

  @Test("of classes that remove each other, and their plans, are those of a vault in memory")
  func cycle() throws {
    try check(try Vault.inMemory())
    try withVault("a") { try check($0) }
  }
}
