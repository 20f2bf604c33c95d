import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import Testing
import TestSupport

/// An operation of stores and queries, and what a partition must make of it.
struct PartitionOperation: Sendable, CustomTestStringConvertible {
  enum Expectation: Sendable {
    /// It does what it does where there are no other objects.
    case limited
    /// It is refused.
    case refused(VaultError.Code)
  }

  /// As the source declares it.
  let name: String
  let expectation: Expectation
  /// What it answers, as a text.
  let run: @Sendable (Desk) async throws -> String

  var testDescription: String { name }

  /// Whether it is one that writes.
  var changes: Bool {
    ["insert(", "replace", "save", "update", "changeID", "remove", "drop"]
      .contains { name.contains(".\($0)") }
  }
}

/// Every operation of ``ObjectStore``, ``Query`` and ``GroupedQuery``.
struct PartitionOperations {
  private(set) var operations: [PartitionOperation] = []
  /// Those that have nothing to do with which objects there are, with the reason.
  private(set) var apart: [(name: String, reason: String)] = []

  static let all = PartitionOperations()

  mutating func add(
    _ name: String, _ run: @escaping @Sendable (Desk) throws -> String
  ) {
    operations.append(PartitionOperation(name: name, expectation: .limited) { try run($0) })
  }

  mutating func addAsync(
    _ name: String, _ run: @escaping @Sendable (Desk) async throws -> String
  ) {
    operations.append(
      PartitionOperation(name: name + " async", expectation: .limited, run: run))
  }

  mutating func refuse(
    _ name: String, _ code: VaultError.Code = .otherPartition,
    _ run: @escaping @Sendable (Desk) throws -> Void
  ) {
    operations.append(
      PartitionOperation(name: name, expectation: .refused(code)) {
        try run($0)
        return ""
      })
  }

  mutating func refuseAsync(
    _ name: String, _ run: @escaping @Sendable (Desk) async throws -> Void
  ) {
    operations.append(
      PartitionOperation(name: name + " async", expectation: .refused(.otherPartition)) {
        try await run($0)
        return ""
      })
  }

  private mutating func leave(_ reason: String, _ names: String...) {
    apart += names.map { ($0, reason) }
  }

  private init() {
    addStoreReads()
    addStoreWrites()
    addObservations()
    addQueries()
    addValues()
    addQueryTerminals()
    addGroups()
    addAsynchronousReads()
    addAsynchronousWrites()
    leave(
      "says what the store is", "ObjectStore.database", "ObjectStore.vault",
      "ObjectStore.classDescription")
    leave("says what the query is of", "Query.store")
    leave("is the query itself", "Query.query")
    leave(
      "asks and changes nothing in the file", "ObjectStore.object(from:ignoringUnknown:)",
      "ObjectStore.object(fromJSON:ignoringUnknown:)", "ObjectStore.values(of:)",
      "ObjectStore.json(of:)")
    leave("has a test of its own", "Query.explain()")
    leave("reads no object", "Query.validate()", "GroupedQuery.validate()")
    leave(
      "is about the index of words of the class", "ObjectStore.rebuildSearch()",
      "ObjectStore.isSearchSound()")
  }

  /// A memo of Ann's under an objectID of Bob's.
  static let foreign: Memo = {
    var memo = Memo(4, of: "ann", number: 44)
    memo.title = "of ann"
    return memo
  }()
  /// A memo of Bob's that is not stored.
  static let other = Memo(100, of: "bob", number: 100)
  /// Ann's 3, given to Bob.
  static let given: Memo = {
    var memo = Memo.anns[1]
    memo.user = "bob"
    return memo
  }()

  // MARK: Stores

  private mutating func addStoreReads() {
    add("ObjectStore.query") { Desk.text(try $0.memos.query.all()) }
    add("ObjectStore.all()") { Desk.text(try $0.memos.all()) }
    add("ObjectStore.first()") { Desk.text(try [$0.memos.first()].compactMap { $0 }) }
    add("ObjectStore.last()") { Desk.text(try [$0.memos.last()].compactMap { $0 }) }
    add("ObjectStore.count()") { "\(try $0.memos.count())" }
    add("ObjectStore.forEach(_:)") { desk in
      var texts: [String] = []
      try desk.memos.forEach { texts.append(Desk.text($0)) }
      return texts.joined(separator: "\n")
    }
    add("ObjectStore.page(number:size:)") { desk in
      let page = try desk.memos.page(number: 2, size: 3)
      return "\(page.totalItems) \(Desk.text(page.items))"
    }
    add("ObjectStore.find(_:)") { "\(try $0.memos.find(4) == nil) \(try $0.memos.find(3) == nil)" }
    add("ObjectStore.find(ids:)") { Desk.text(try $0.memos.find(ids: [9, 3, 1, 2])) }
    add("ObjectStore.find(_:)") { "\(try $0.memos.find(Ref<Memo>(id: 4)) == nil)" }
    add("ObjectStore.contains(id:)") {
      "\(try $0.memos.contains(id: 4)) \(try $0.memos.contains(id: 3))"
    }
    add("ObjectStore.insertionDate(of:)") { "\(try $0.memos.insertionDate(of: 4) == nil)" }
    add("ObjectStore.withoutOwned()") { Desk.text(try $0.memos.withoutOwned().all()) }
    add("ObjectStore.related(to:through:by:from:)") { desk in
      Desk.text(
        try desk.memos.related(to: Memo.anns[3], through: MemoLink.self, by: "to", from: "from"))
    }
    add("ObjectStore.where(_:_:)") {
      Desk.text(try $0.memos.where("number == %@ || TRUEPREDICATE", 20).all())
    }
    add("ObjectStore.where(_:arguments:named:)") {
      Desk.text(try $0.memos.where("number > $n OR isDone", arguments: [], named: ["n": 1]).all())
    }
    add("ObjectStore.where(_:)") {
      Desk.text(try $0.memos.where(Where("number").isAtLeast(1).or("isDone").isTrue).all())
    }
    add("ObjectStore.where(_:)") {
      Desk.text(try $0.memos.where { $0.number > 1 || $0.isDone }.all())
    }
    add("ObjectStore.where(_:)") {
      Desk.text(try $0.memos.where(#Predicate<Memo> { $0.number > 1 || $0.number < 0 }).all())
    }
    add("ObjectStore.where(sql:)") {
      Desk.text(try $0.memos.where(sql: "number = \(20) OR 1").all())
    }
    add("ObjectStore.search(_:in:)") { Desk.text(try $0.memos.search("tea").all()) }
    add("ObjectStore.sorted(by:)") {
      Desk.text(try $0.memos.sorted(by: .descending("number")).all())
    }
    add("ObjectStore.sorted(by:)") { Desk.text(try $0.memos.sorted(by: \.number).all()) }
    add("ObjectStore.objects(_:)") {
      Desk.text(try $0.memos.objects("SELECT * FROM \(Memo.self) ORDER BY number"))
    }
    add("ObjectStore.objectsWithRows(_:)") { desk in
      let found = try desk.memos.objectsWithRows(
        "SELECT *, number + 1 AS next FROM \(Memo.self) ORDER BY number")
      return try found.map { "\($0.id) \(try $1.value("next", as: Int.self))" }.joined()
    }
    add("ObjectStore.deletionPlan()") { Desk.text(try $0.memos.deletionPlan()) }
    add("ObjectStore.deletionPlan(of:)") { Desk.text(try $0.memos.deletionPlan(of: Self.foreign)) }
    add("ObjectStore.deletionPlan(ids:)") { Desk.text(try $0.memos.deletionPlan(ids: [3, 4])) }
    add("ObjectStore.partition(_:is:)") {
      Desk.text(try $0.memos.partition("isDone", is: true).all())
    }
    add("ObjectStore.partition(_:is:)") {
      Desk.text(try $0.memos.partition(\.isDone, is: false).all())
    }
    add("ObjectStore.partition(_:is:)") {
      Desk.text(try $0.memos.partition(\.mirroredMark, is: "mark 3").all())
        + Desk.text(try $0.memos.partition(\.mirroredMark, is: "mark 4").all())
    }
    add("ObjectStore.partition(_:is:)") {
      Desk.text(try $0.memos.partition(\.parent, is: nil).all())
    }
  }

  private mutating func addStoreWrites() {
    refuse("ObjectStore.insert(_:owned:)") { try $0.memos.insert(Self.other) }
    refuse("ObjectStore.insert(assigningIDTo:owned:)") { desk in
      var memo = Self.other
      try desk.memos.insert(assigningIDTo: &memo)
    }
    refuse("ObjectStore.insert(contentsOf:owned:)") {
      try $0.memos.insert(contentsOf: [Memo(101, of: "ann", number: 1), Self.other])
    }
    refuse("ObjectStore.replace(_:owned:)") { try $0.memos.replace(Self.given) }
    refuse("ObjectStore.save(_:owned:)") { try $0.memos.save(Self.given) }
    refuse("ObjectStore.save(assigningIDTo:owned:)") { desk in
      var memo = Self.other
      try desk.memos.save(assigningIDTo: &memo)
    }
    refuse("ObjectStore.save(contentsOf:owned:)") {
      try $0.memos.save(contentsOf: [Memo(101, of: "ann", number: 1), Self.given])
    }
    add("ObjectStore.update(_:owned:)") {
      try $0.memos.update(Self.foreign)
      return ""
    }
    add("ObjectStore.update(_:only:)") {
      try $0.memos.update(Self.foreign, only: "title")
      return ""
    }
    add("ObjectStore.update(_:only:)") {
      try $0.memos.update(Self.foreign, only: ["title", "user"])
      return ""
    }
    add("ObjectStore.update(contentsOf:owned:)") {
      try $0.memos.update(contentsOf: [Memo.anns[0], Self.foreign])
      return ""
    }
    add("ObjectStore.update(contentsOf:only:)") {
      try $0.memos.update(contentsOf: [Memo.anns[0], Self.foreign], only: "title")
      return ""
    }
    add("ObjectStore.update(contentsOf:only:)") {
      try $0.memos.update(contentsOf: [Memo.anns[0], Self.foreign], only: ["title", "user"])
      return ""
    }
    refuse("ObjectStore.updateChanges(of:since:)") {
      _ = try $0.memos.updateChanges(of: Self.given, since: ObjectSnapshot(of: Memo.anns[1]))
    }
    refuse("ObjectStore.updateChanges(of:since:)") { desk in
      var memo = Self.given
      _ = try desk.memos.updateChanges(of: &memo, since: ObjectSnapshot(of: Memo.anns[1]))
    }
    add("ObjectStore.updateChanges(of:from:)") {
      var former = Self.foreign
      former.title = "other"
      return "\(try $0.memos.updateChanges(of: Self.foreign, from: former))"
    }
    add("ObjectStore.changeID(of:to:)") {
      try $0.memos.changeID(of: 4, to: 200)
      return ""
    }
    add("ObjectStore.remove(_:)") {
      try $0.memos.remove(Self.foreign)
      return ""
    }
    add("ObjectStore.remove(id:)") {
      try $0.memos.remove(id: 4)
      return ""
    }
    add("ObjectStore.remove(contentsOf:)") {
      try $0.memos.remove(contentsOf: [Memo.anns[1], Self.foreign])
      return ""
    }
    add("ObjectStore.remove(ids:)") {
      try $0.memos.remove(ids: [3, 4])
      return ""
    }
    add("ObjectStore.removeAll()") { "\(try $0.memos.removeAll())" }
    add("ObjectStore.removeAll(insertedBefore:)") {
      "\(try $0.memos.removeAll(insertedBefore: .distantFuture))"
    }
    refuse("ObjectStore.dropRemovedProperties()", .invalidArgument) {
      try $0.memos.dropRemovedProperties()
    }
  }

  private mutating func addObservations() {
    addObserved("ObjectStore.observe()") { try await Self.first($0.memos.observe()).map(Desk.text) }
    addObserved("ObjectStore.observeChanges()") {
      try await Self.first($0.memos.observeChanges()).map { "\($0.inserted.map(\.id))" }
    }
    addObserved("ObjectStore.observeCount()") {
      try await Self.first($0.memos.observeCount()).map { "\($0)" }
    }
    addObserved("ObjectStore.observe(id:)") {
      try await Self.first($0.memos.observe(id: 4)).map { "\($0 == nil)" }
    }
    addObserved("ObjectStore.observe(on:onError:onChange:)") { desk in
      let calls = Deliveries<String>()
      let token = desk.memos.observe(
        onError: { calls.end($0) }, onChange: { calls.add(Desk.text($0)) })
      defer { token.cancel() }
      return try await calls.first(1).first
    }
    addObserved("ObjectStore.observe(id:on:onError:onChange:)") { desk in
      let calls = Deliveries<String>()
      let token = desk.memos.observe(
        id: 4, onError: { calls.end($0) }, onChange: { calls.add("\($0 == nil)") })
      defer { token.cancel() }
      return try await calls.first(1).first
    }
    addObserved("Query.observe()") {
      try await Self.first($0.memos.query.observe()).map(Desk.text)
    }
    addObserved("Query.observeChanges()") {
      try await Self.first($0.memos.query.observeChanges()).map { "\($0.inserted.map(\.id))" }
    }
    addObserved("Query.observeCount()") {
      try await Self.first($0.memos.query.observeCount()).map { "\($0)" }
    }
    addObserved("Query.observe(on:onError:onChange:)") { desk in
      let calls = Deliveries<String>()
      let token = desk.memos.query.observe(
        onError: { calls.end($0) }, onChange: { calls.add(Desk.text($0)) })
      defer { token.cancel() }
      return try await calls.first(1).first
    }
    addObserved("Query.observeChanges(on:onError:onChange:)") { desk in
      let calls = Deliveries<String>()
      let token = desk.memos.query.observeChanges(
        onError: { calls.end($0) }, onChange: { calls.add("\($0.inserted.map(\.id))") })
      defer { token.cancel() }
      return try await calls.first(1).first
    }
    addObserved("Query.observeCount(on:onError:onChange:)") { desk in
      let calls = Deliveries<String>()
      let token = desk.memos.query.observeCount(
        onError: { calls.end($0) }, onChange: { calls.add("\($0)") })
      defer { token.cancel() }
      return try await calls.first(1).first
    }
    addObserved("ObjectStore.objects") { desk in
      var texts: [String] = []
      for try await memo in desk.memos.objects { texts.append(Desk.text(memo)) }
      return texts.joined(separator: "\n")
    }
    addObserved("Query.objects") { desk in
      var texts: [String] = []
      for try await memo in desk.memos.query.objects { texts.append(Desk.text(memo)) }
      return texts.joined(separator: "\n")
    }
    addObserved("Query.stream(batchSize:)") { desk in
      var texts: [String] = []
      for try await memo in try desk.memos.query.stream(batchSize: 1) {
        texts.append(Desk.text(memo))
      }
      return texts.joined(separator: "\n")
    }
  }

  /// What is no async call, and answers one later.
  private mutating func addObserved(
    _ name: String, _ run: @escaping @Sendable (Desk) async throws -> String?
  ) {
    operations.append(
      PartitionOperation(name: name, expectation: .limited) { try await run($0) ?? "nothing" })
  }

  private static func first<Element: Sendable>(
    _ sequence: ObservationSequence<Element>
  ) async throws -> Element? {
    for try await element in sequence { return element }
    return nil
  }
}
