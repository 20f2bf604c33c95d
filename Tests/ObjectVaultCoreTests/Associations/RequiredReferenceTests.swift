import ObjectVaultCondition
import ObjectVaultEngine
import TestSupport
import Testing

import ObjectVaultCore

@Suite("Objects with a required reference that accepts few values")
struct RequiredReferenceTests {
  /// Objects of one class that refer to others of it by a property that must have a value.
  private func chain(
    unique: Bool = false, _ constraints: String = "", limit: Int = 6
  ) -> ClassDescription {
    ClassDescription(
      "Link",
      properties: [
        PropertyDescription("code", String.self),
        PropertyDescription("next", String.self).columnDefined(
          length: .atMost(limit), constraints: constraints.isEmpty ? nil : constraints),
      ], objectID: ["code"], indexes: unique ? [IndexDescription(["next"], unique: true)] : [],
      references: [
        ReferenceDescription("next", target: "Link", targetColumns: ["code"], onDelete: .cascade)
      ])
  }

  @Test(
    "whose references are among themselves are removed",
    .covers("J58"),
    arguments: [
      (false, "", 1_500), (true, "", 400),
      (false, "CHECK (\"next\" <> \"code\" OR \"code\" = 'n0')", 300),
    ])
  func requiredReference(unique: Bool, constraints: String, count: Int) throws {
    let description = chain(unique: unique, constraints)
    let test = try TestVault()
    let links = try test.vault.store(of: description)
    try links.insert(
      contentsOf: (0..<count).map { number in
        var link = try DynamicObject(of: description)
        try link.set("code", to: .text("n\(number)"))
        // The first refers to itself, or, where each must have another one, to the last.
        try link.set("next", to: .text("n\(number > 0 ? number - 1 : unique ? count - 1 : 0)"))
        return link
      })
    #expect(try links.deletionPlan(ids: [DynamicObjectID(.text("n0"))]).removed == count)
    if !unique {
      // What the first of those that go refers to stays.
      #expect(try links.where("code == %@", "n\(count - 2)").remove() == 1)
      #expect(try links.count() == count - 2)
    }
    try links.remove(id: DynamicObjectID(.text("n0")))
    #expect(try links.count() == 0)
    #expect(try test.rows("PRAGMA foreign_key_check").isEmpty)
  }

  @Test("and that refer to one another in a circle are removed, and counted", .covers("J58"))
  func requiredCircle() throws {
    func side(_ name: String, _ other: String) -> ClassDescription {
      ClassDescription(
        name,
        properties: [
          PropertyDescription("code", String.self),
          PropertyDescription("other", String.self).columnDefined(length: .atMost(4)),
        ], objectID: ["code"],
        references: [
          ReferenceDescription("other", target: other, targetColumns: ["code"], onDelete: .cascade)
        ])
    }
    let (left, right) = (side("Left", "Right"), side("Right", "Left"))
    let test = try TestVault()
    let lefts = try test.vault.store(of: left, with: [right])
    let rights = try test.vault.store(of: right, with: [left])
    try test.vault.transaction(deferringReferences: true) {
      for number in 0..<50 {
        for (store, description, name, other) in [
          (lefts, left, "l\(number)", "r\(number)"),
          (rights, right, "r\(number)", "l\((number + 1) % 50)"),
        ] {
          var object = try DynamicObject(of: description)
          try object.set("code", to: .text(name))
          try object.set("other", to: .text(other))
          try store.insert(object)
        }
      }
    }
    #expect(try lefts.removeAll() == 50)
    #expect(try rights.count() == 0)
  }
}
