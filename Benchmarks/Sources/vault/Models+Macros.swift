#if !WITHOUT_MACROS
  import Foundation
  import ObjectVault

  @Stored
  struct Person: Sendable {
    var name: String
    @Indexed var email: String
    var age: Int
    var score: Double
    var joined: Date
    var avatar: Data
    var note: String?
  }

  /// The same class in the same table, as a Swift class.
  @Stored(table: "Person")
  final class PersonObject {
    var name: String
    @Indexed var email: String
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
  }

  /// The same class with the index that `advisedIndexes()` returns for W6.
  @Stored(table: "Person", indexes: [["name", "age", "score"]])
  struct IndexedPerson: Sendable {
    var name: String
    @Indexed var email: String
    var age: Int
    var score: Double
    var joined: Date
    var avatar: Data
    var note: String?
  }

  @Stored
  struct Pet {
    var name: String
    @Reference(onDelete: .cascade) var owner: Ref<Person>?
  }

  @Stored
  struct Keeper {
    var name: String
    @Owned(by: \Toy.keeper) var toys: [Toy]?
  }

  @Stored
  struct Toy {
    var name: String
    @Reference(onDelete: .cascade) var keeper: Ref<Keeper>?
  }
#endif
