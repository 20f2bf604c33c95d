import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

@Suite("The error of a constraint") struct ConstraintErrorTests {
  private static let secret = "Xyzzy-4711"

  private func error(_ body: () throws -> Void) throws -> VaultError {
    do {
      try body()
    } catch let error as VaultError {
      #expect(!"\(error) \(String(describing: error.underlying))".contains(Self.secret))
      return error
    }
    throw Missing()
  }

  private struct Missing: Error {}

  private func object(
    _ description: ClassDescription, _ values: [String: StoredValue]
  ) throws -> DynamicObject {
    var object = try DynamicObject(of: description)
    for (name, value) in values { try object.set(name, to: value) }
    return object
  }

  @Test("names the class and the property of a unique value that is taken", .covers("S17"))
  func unique() throws {
    let test = try TestVault()
    let account = ClassDescription(
      "Account",
      properties: [
        PropertyDescription("iban", column: "account no., local", type: .string),
        PropertyDescription("owner", type: .string), PropertyDescription("bank", type: .string),
      ],
      indexes: [
        IndexDescription(["iban"], unique: true),
        IndexDescription(["owner", "bank"], unique: true),
      ])
    let accounts = try test.vault.store(of: account)
    let first = try object(
      account, ["iban": .text(Self.secret), "owner": .text(Self.secret), "bank": .text("b")])
    try accounts.insert(first)
    var same = first
    try same.set("owner", to: .text("another"))
    let taken = try error { try accounts.insert(same) }
    #expect(taken.code == .duplicate)
    #expect(
      taken.message
        == "An Account with this iban already exists. Use another value, or update the stored "
        + "object.")
    #expect(taken.className == "Account" && taken.propertyNames == ["iban"])
    var second = first
    try second.set("iban", to: .text("other"))
    let both = try error { try accounts.insert(second) }
    #expect(
      both.message
        == "An Account with this owner and bank already exists. Use another value, or update the "
        + "stored object.")
    #expect(both.propertyNames == ["owner", "bank"])
    // By SQL, and where the store is not committed yet.
    let sql = try error {
      try test.vault.execute(
        "INSERT INTO Account SELECT 7, \"account no., local\", 'x', 'y' FROM Account")
    }
    #expect(sql.message == taken.message && sql.propertyNames == ["iban"])
  }

  @Test("names the objectID, of one part and of several", .covers("S28"))
  func objectIDs() throws {
    let test = try TestVault()
    let items = try test.vault.store(of: Item.self)
    try items.insert(Item("a"))
    let item = try error { try items.insert(Item("a")) }
    #expect(
      item.code == .duplicate
        && item.message
          == "An Item with this code already exists. Use another value, or update the stored "
          + "object."
    )
    #expect(item.className == "Item" && item.propertyNames == ["code"])
    let people = try test.vault.store(of: Person.self)
    var person = try people.insert(Person(name: Self.secret))
    let number = try error { try people.insert(person) }
    #expect(
      number.message
        == "A Person with this objectID already exists. Use another value, or update the stored "
        + "object.")
    #expect(number.propertyNames == ["objectID"])
    person.objectID = 2
    try people.insert(person)
    let changed = try error { try people.changeID(of: 2, to: 1) }
    #expect(
      changed.message
        == "A Person with this objectID already exists. Use another value, or update the stored "
        + "object.")
    let booking = ClassDescription(
      "Booking",
      properties: [PropertyDescription("room", Int.self), PropertyDescription("day", Int.self)],
      objectID: ["room", "day"])
    let bookings = try test.vault.store(of: booking)
    let first = try object(booking, ["room": .integer(1), "day": .integer(2)])
    try bookings.insert(first)
    let both = try error { try bookings.insert(first) }
    #expect(
      both.message
        == "A Booking with this room and day already exists. Use another value, or update the "
        + "stored object.")
    #expect(both.className == "Booking" && both.propertyNames == ["room", "day"])
  }

  @Test("names the property that is too long, or breaks a constraint of its own", .covers("S17"))
  func checks() throws {
    let test = try TestVault()
    let tag = ClassDescription(
      "Tag",
      properties: [PropertyDescription("name", String.self).columnDefined(length: .atMost(3))])
    let tags = try test.vault.store(of: tag)
    let long = try error { try tags.insert(object(tag, ["name": .text(Self.secret)])) }
    #expect(long.code == .constraint)
    #expect(
      long.message
        == "A constraint of class 'Tag' rejects its name: at most 3 characters in name. Correct "
        + "the value.")
    #expect(long.className == "Tag" && long.propertyNames == ["name"])
    let person = ClassDescription(
      "Guest",
      properties: [
        PropertyDescription("age", Int.self).columnDefined(constraints: "CHECK (\"age\" >= 0)")
      ])
    let guests = try test.vault.store(of: person)
    let negative = try error { try guests.insert(object(person, ["age": .integer(-4711)])) }
    #expect(negative.message == "A constraint of class 'Guest' rejects its age. Correct the value.")
    #expect(negative.className == "Guest" && negative.propertyNames == ["age"])
    #expect(!negative.message.contains("4711"))
  }

  @Test("names the property without a value", .covers("S17"))
  func notNull() throws {
    let test = try TestVault()
    _ = try test.vault.store(of: Person.self)
    let missing = try error { try test.vault.execute("INSERT INTO Person (age) VALUES (1)") }
    #expect(
      missing.code == .constraint
        && missing.message == "A Person has no value for name. Set a value.")
    #expect(missing.className == "Person" && missing.propertyNames == ["name"])
    // A table that no store of this program knows.
    try test.vault.execute("CREATE TABLE other (a NOT NULL)")
    let other = try error { try test.vault.execute("INSERT INTO other VALUES (NULL)") }
    #expect(other.message == "An other has no value for a. Set a value.")
    #expect(other.className == "other" && other.propertyNames == ["a"])
  }

  @Test("names the reference without an object, and the one that holds an object back")
  func references() throws {
    let test = try TestVault()
    let node = ClassDescription(
      "Node", properties: [PropertyDescription("next", Int64?.self)],
      references: [
        ReferenceDescription("next", target: "Node", targetColumns: ["objectID"])
      ])
    let nodes = try test.vault.store(of: node)
    let dangling = try error { try nodes.insert(object(node, ["next": .integer(9)])) }
    #expect(dangling.code == .danglingReference)
    #expect(dangling.className == "Node" && dangling.propertyNames == ["next"])
    let id = try #require(try nodes.insert(object(node, [:])).storedObjectID)
    try nodes.insert(object(node, ["next": id.objectIDParts[0]]))
    let held = try error { try nodes.remove(id: id) }
    #expect(held.code == .danglingReference)
    #expect(held.className == "Node" && held.propertyNames == ["next"])
  }
}
