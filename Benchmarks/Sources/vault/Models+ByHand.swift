// The classes of Models+Macros.swift, written by hand for builds without macros.
#if WITHOUT_MACROS
  import Foundation
  import ObjectVaultCore

  private let personProperties: [PropertyDescription] = [
    .init("name", String.self), .init("email", String.self), .init("age", Int.self),
    .init("score", Double.self), .init("joined", Date.self), .init("avatar", Data.self),
    .init("note", String?.self),
  ]

  struct Person: StoredObject, GeneratesObjectID, Sendable {
    var objectID: Int64?
    var name: String
    var email: String
    var age: Int
    var score: Double
    var joined: Date
    var avatar: Data
    var note: String?

    static let classDescription = ClassDescription(
      "Person", properties: personProperties,
      indexes: [.init(["email"])])

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(email, at: 1)
      try binder.bind(age, at: 2)
      try binder.bind(score, at: 3)
      try binder.bind(joined, at: 4)
      try binder.bind(avatar, at: 5)
      try binder.bind(note, at: 6)
    }
  }

  // In an extension, so that the memberwise initializer exists, which makes no copy of the object.
  extension Person {
    init(row: Row) throws {
      let objectID: Int64? = try row.value(at: 7)
      self.init(
        objectID: objectID, name: try row.value(at: 0), email: try row.value(at: 1),
        age: try row.value(at: 2), score: try row.value(at: 3), joined: try row.value(at: 4),
        avatar: try row.value(at: 5), note: try row.value(at: 6))
    }
  }

  final class PersonObject: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var email: String
    var age: Int
    var score: Double
    var joined: Date
    var avatar: Data
    var note: String?

    init(
      name: String, email: String, age: Int, score: Double, joined: Date, avatar: Data,
      note: String?
    ) {
      (self.name, self.email, self.age) = (name, email, age)
      (self.score, self.joined) = (score, joined)
      (self.avatar, self.note) = (avatar, note)
    }

    static let classDescription = ClassDescription(
      "PersonObject", table: "Person", properties: personProperties,
      indexes: [.init(["email"])])

    init(row: Row) throws {
      name = try row.value(at: 0)
      email = try row.value(at: 1)
      age = try row.value(at: 2)
      score = try row.value(at: 3)
      joined = try row.value(at: 4)
      avatar = try row.value(at: 5)
      note = try row.value(at: 6)
      objectID = try row.value(at: 7)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(email, at: 1)
      try binder.bind(age, at: 2)
      try binder.bind(score, at: 3)
      try binder.bind(joined, at: 4)
      try binder.bind(avatar, at: 5)
      try binder.bind(note, at: 6)
    }
  }

  struct IndexedPerson: StoredObject, GeneratesObjectID, Sendable {
    var objectID: Int64?
    var name: String
    var email: String
    var age: Int
    var score: Double
    var joined: Date
    var avatar: Data
    var note: String?

    init(
      name: String, email: String, age: Int, score: Double, joined: Date, avatar: Data,
      note: String?
    ) {
      (self.name, self.email, self.age) = (name, email, age)
      (self.score, self.joined) = (score, joined)
      (self.avatar, self.note) = (avatar, note)
    }

    static let classDescription = ClassDescription(
      "IndexedPerson", table: "Person", properties: personProperties,
      indexes: [.init(["email"]), .init(["name", "age", "score"])])

    init(row: Row) throws {
      name = try row.value(at: 0)
      email = try row.value(at: 1)
      age = try row.value(at: 2)
      score = try row.value(at: 3)
      joined = try row.value(at: 4)
      avatar = try row.value(at: 5)
      note = try row.value(at: 6)
      objectID = try row.value(at: 7)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(email, at: 1)
      try binder.bind(age, at: 2)
      try binder.bind(score, at: 3)
      try binder.bind(joined, at: 4)
      try binder.bind(avatar, at: 5)
      try binder.bind(note, at: 6)
    }
  }

  struct Pet: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var owner: Ref<Person>?

    init(name: String, owner: Ref<Person>?) { (self.name, self.owner) = (name, owner) }

    static let classDescription = ClassDescription(
      "Pet",
      members: [
        .property(.init("name", String.self)),
        .reference("owner", Ref<Person>?.self, onDelete: .cascade),
      ])
    static let referenceTarget = ReferenceTarget(table: "Pet")
    static var referencedClasses: [any StoredObject.Type] { [Person.self] }

    init(row: Row) throws {
      name = try row.value(at: 0)
      owner = try row.value(at: 1)
      objectID = try row.value(at: 2)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(owner, at: 1)
    }
  }

  struct Keeper: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var toys: [Toy]?

    init(name: String, toys: [Toy]?) { (self.name, self.toys) = (name, toys) }

    static let classDescription = ClassDescription(
      "Keeper",
      members: [
        .property(.init("name", String.self)), .owned("toys", Toy.self, reference: "keeper"),
      ])
    static let referenceTarget = ReferenceTarget(table: "Keeper")
    static var referencedClasses: [any StoredObject.Type] { [Toy.self] }
    static var ownedProperties: [OwnedProperty<Keeper>] { [.many(\.toys, by: \Toy.keeper)] }

    init(row: Row) throws {
      name = try row.value(at: 0)
      objectID = try row.value(at: 1)
    }

    func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  }

  struct Toy: StoredObject, GeneratesObjectID {
    var objectID: Int64?
    var name: String
    var keeper: Ref<Keeper>?

    init(name: String, keeper: Ref<Keeper>? = nil) { (self.name, self.keeper) = (name, keeper) }

    static let classDescription = ClassDescription(
      "Toy",
      members: [
        .property(.init("name", String.self)),
        .reference("keeper", Ref<Keeper>?.self, onDelete: .cascade),
      ])
    static let referenceTarget = ReferenceTarget(table: "Toy")
    static var referencedClasses: [any StoredObject.Type] { [Keeper.self] }

    init(row: Row) throws {
      name = try row.value(at: 0)
      keeper = try row.value(at: 1)
      objectID = try row.value(at: 2)
    }

    func encode(into binder: Binder) throws {
      try binder.bind(name, at: 0)
      try binder.bind(keeper, at: 1)
    }
  }
#endif
