import Foundation
import ObjectVaultEngine
import TestSupport
import Testing

import ObjectVaultCore

/// A class whose objects are kept apart by the user they are of: with words to be found, a unique
/// property, references, objects that belong to it, and times.
struct Memo: StoredObject, Hashable, Sendable {
  var id: Int64
  var user: String
  var title: String
  var number: Int
  var isDone: Bool
  var mark: String?
  var parent: Ref<Memo>?
  var replies: [Reply]?

  init(_ id: Int64, of user: String, number: Int, parent: Int64? = nil) {
    self.id = id
    self.user = user
    title = "green tea \(id)"
    self.number = number
    isDone = id > 4
    mark = "mark \(id)"
    self.parent = parent.map { Ref(id: $0) }
    replies = [Reply("to \(id)")]
  }

  static let classDescription = ClassDescription(
    "Memo",
    members: [
      .property(.init("id", Int64.self)), .property(.init("user", String.self)),
      .property(.init("title", String.self)), .property(.init("number", Int.self)),
      .property(.init("isDone", Bool.self)), .property(.init("mark", String?.self)),
      .reference("parent", Ref<Memo>?.self, onDelete: .cascade),
      .owned("replies", Reply.self, reference: "memo"),
    ], objectID: ["id"], indexes: [IndexDescription(["mark"], unique: true)],
    search: SearchDescription(["title"]), options: TableOptions(insertionTime: true))
  static let referenceTarget = ReferenceTarget(table: "Memo", columns: ["id"])
  static var referencedClasses: [any StoredObject.Type] { [Memo.self, Reply.self] }
  static var ownedProperties: [OwnedProperty<Memo>] { [.many(\.replies, by: \Reply.memo)] }
  static var propertyNames: [AnyKeyPath: String] { [\Memo.number: "number"] }
  var storedObjectID: Int64? { id }

  init(row: Row) throws {
    (id, user, title) = (try row.value(at: 0), try row.value(at: 1), try row.value(at: 2))
    (number, isDone, mark) = (try row.value(at: 3), try row.value(at: 4), try row.value(at: 5))
    parent = try row.value(at: 6)
  }

  func encode(into binder: Binder) throws {
    try binder.bind(id, at: 0)
    try binder.bind(user, at: 1)
    try binder.bind(title, at: 2)
    try binder.bind(number, at: 3)
    try binder.bind(isDone, at: 4)
    try binder.bind(mark, at: 5)
    try binder.bind(parent, at: 6)
  }

  struct Properties: ObjectProperties {
    let origin: PropertyOrigin
    var id: Property<Int64> { origin.property("id") }
    var user: Property<String> { origin.property("user") }
    var number: Property<Int> { origin.property("number") }
    var isDone: Property<Bool> { origin.property("isDone") }
    var mark: Property<String?> { origin.property("mark") }
    /// The same columns, as if converters stored them.
    var halved: ConvertedProperty<Halved, Int> { origin.property("number") }
    var mirroredMark: ConvertedProperty<Mirrored, String?> { origin.property("mark") }
    var parent: RelatedObject<Memo> { origin.object("parent") }
  }

  /// Of Bob, whose memos are first and last, and have the least and the greatest number.
  static let bobs = [
    Memo(1, of: "bob", number: 5), Memo(4, of: "bob", number: 40, parent: 1),
    Memo(6, of: "bob", number: 60, parent: 1), Memo(9, of: "bob", number: 95),
  ]
  /// Of Ann, among them.
  static let anns = [
    Memo(2, of: "ann", number: 20), Memo(3, of: "ann", number: 30, parent: 2),
    Memo(5, of: "ann", number: 50, parent: 2), Memo(7, of: "ann", number: 70),
  ]
}

/// Half of what is stored.
enum Halved: PropertyConverter {
  static func stored(_ value: Int) -> Int { value * 2 }
  static func value(_ stored: Int) -> Int { stored / 2 }
}

/// Belongs to a memo.
struct Reply: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var text: String
  var memo: Ref<Memo>?

  init(_ text: String) { self.text = text }

  static let classDescription = ClassDescription(
    "Reply",
    members: [
      .property(.init("text", String.self)),
      .reference("memo", Ref<Memo>?.self, onDelete: .cascade),
    ])
  static let referenceTarget = ReferenceTarget(table: "Reply")
  static var referencedClasses: [any StoredObject.Type] { [Memo.self] }
  init(row: Row) throws {
    (text, memo, objectID) = (
      try row.value(at: 0), try row.value(at: 1), try row.value(at: 2)
    )
  }
  func encode(into binder: Binder) throws {
    try binder.bind(text, at: 0)
    try binder.bind(memo, at: 1)
  }
}

/// Joins memos with one another.
struct MemoLink: StoredObject, GeneratesObjectID, Sendable {
  var objectID: Int64?
  var from: Ref<Memo>?
  var to: Ref<Memo>?

  init(from: Int64, to: Int64) { (self.from, self.to) = (Ref(id: from), Ref(id: to)) }

  static let classDescription = ClassDescription(
    "MemoLink",
    members: [
      .reference("from", Ref<Memo>?.self, onDelete: .cascade),
      .reference("to", Ref<Memo>?.self, onDelete: .cascade),
    ])
  static var referencedClasses: [any StoredObject.Type] { [Memo.self] }
  init(row: Row) throws {
    (from, to) = (try row.value(at: 0), try row.value(at: 1))
    objectID = try row.value(at: 2)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(from, at: 0)
    try binder.bind(to, at: 1)
  }
}

/// A vault of memos, and the stores that an operation is tried on.
struct Desk: Sendable {
  let vault: Vault
  /// All of the class.
  let whole: ObjectStore<Memo>
  /// What is tried.
  let memos: ObjectStore<Memo>
  /// The same, of the class as the file describes it.
  let dynamic: ObjectStore<DynamicObject>

  /// Creates a vault in memory and inserts the memos.
  ///
  /// - Parameters:
  ///   - memos: The memos to insert.
  ///   - user: The user whose partition the stores use, or `nil` for all memos.
  /// - Throws: An error of the vault.
  init(_ memos: [Memo], of user: String? = nil) throws {
    vault = try Vault.inMemory()
    whole = try vault.store(of: Memo.self)
    try whole.insert(contentsOf: memos.sorted { $0.id < $1.id })
    let links = try vault.store(of: MemoLink.self)
    let ids = Set(memos.map(\.id))
    // Ann's 7 is linked with memos of both.
    for id: Int64 in [3, 4, 5, 6] where ids.contains(id) {
      try links.insert(MemoLink(from: 7, to: id))
    }
    let described = try vault.store(named: "Memo")
    guard let user else {
      (self.memos, dynamic) = (whole, described)
      return
    }
    self.memos = try whole.partition(\.user, is: user)
    dynamic = try described.partition("user", is: user)
  }

  /// Everything that is stored of a user, with all of its values.
  func content(of user: String) throws -> [String] {
    try whole.all().filter { $0.user == user }.map(Self.text)
  }

  static func text(_ memo: Memo) -> String {
    let replies = memo.replies.map { $0.map(\.text).joined(separator: "+") } ?? "-"
    let parent = memo.parent.map { String($0.id) } ?? "-"
    return "\(memo.id) \(memo.user) \(memo.title) \(memo.number) \(memo.isDone) "
      + "\(memo.mark ?? "-") \(parent) \(replies)"
  }

  static func text(_ memos: some Sequence<Memo>) -> String {
    memos.map(text).joined(separator: "\n")
  }

  /// What would become of memos; links go with those of either user.
  static func text(_ plan: DeletionPlan) -> String {
    "\(plan.entries.filter { $0.className == "Memo" })"
  }

  static func text(_ objects: [DynamicObject]) throws -> String {
    try objects.map { "\(try $0.value(of: "id")) \(try $0.value(of: "number"))" }
      .joined(separator: "\n")
  }
}
