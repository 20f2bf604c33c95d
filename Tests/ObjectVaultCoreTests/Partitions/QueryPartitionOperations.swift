import Foundation
import ObjectVaultCondition

import ObjectVaultCore

// The operations of queries.

extension PartitionOperations {
  mutating func addQueries() {
    add("Query.where(_:_:)") {
      Desk.text(try $0.memos.query.where("number == %@ || TRUEPREDICATE", 20).all())
    }
    add("Query.where(_:arguments:named:)") {
      Desk.text(
        try $0.memos.query.where("number > $n OR isDone", arguments: [], named: ["n": 1]).all())
    }
    add("Query.where(_:)") {
      Desk.text(try $0.memos.query.where(Where("number").isAtLeast(1).or("isDone").isTrue).all())
    }
    add("Query.where(_:)") {
      Desk.text(try $0.memos.query.where { $0.number > 1 || $0.isDone }.all())
    }
    add("Query.where(_:)") {
      Desk.text(
        try $0.memos.query.where(#Predicate<Memo> { $0.number > 1 || $0.number < 0 }).all())
    }
    add("Query.where(sql:)") {
      Desk.text(try $0.memos.query.where(sql: "number = \(20) OR 1").all())
    }
    add("Query.search(_:in:)") {
      Desk.text(try $0.memos.query.search("green OR missing", in: "title").all())
    }
    add("Query.sorted(by:)") {
      Desk.text(try $0.memos.query.sorted(by: .descending("number")).all())
    }
    add("Query.sorted(by:)") {
      Desk.text(try $0.memos.query.sorted(by: [.descending("number")]).all())
    }
    add("Query.sorted(by:)") { Desk.text(try $0.memos.query.sorted(by: \.number).all()) }
    add("Query.sorted(by:ascending:)") {
      Desk.text(try $0.memos.query.sorted(by: ["number"], ascending: false).all())
    }
    add("Query.range(offset:length:)") {
      Desk.text(try $0.memos.query.range(offset: 1, length: 2).all())
    }
    add("Query.reversed()") { Desk.text(try $0.memos.query.reversed().all()) }
    add("Query.withoutOwned()") { Desk.text(try $0.memos.query.withoutOwned().all()) }
    add("Query.and(_:)") {
      Desk.text(try $0.memos.where("number > 1").and($0.memos.where("number < 99")).all())
    }
    add("Query.or(_:)") {
      Desk.text(try $0.memos.where("number < 30").or($0.memos.where("number > 0")).all())
    }
    add("Query.not()") { Desk.text(try $0.memos.where("number == 20").not().all()) }
  }

  mutating func addValues() {
    add("Query.min(of:as:)") {
      "\(String(describing: try $0.memos.query.min(of: "number", as: Int.self)))"
    }
    add("Query.max(of:as:)") {
      "\(String(describing: try $0.memos.query.max(of: "number", as: Int.self)))"
    }
    add("Query.sum(of:as:)") { "\(try $0.memos.query.sum(of: "number", as: Int.self))" }
    add("Query.average(of:)") { "\(String(describing: try $0.memos.query.average(of: "number")))" }
    add("Query.min(of:)") { "\(String(describing: try $0.memos.query.min(of: \.number)))" }
    add("Query.max(of:)") { "\(String(describing: try $0.memos.query.max(of: \.number)))" }
    add("Query.sum(of:)") { "\(try $0.memos.query.sum(of: \.number))" }
    add("Query.average(of:)") { "\(String(describing: try $0.memos.query.average(of: \.number)))" }
    add("Query.values(of:as:)") { "\(try $0.memos.query.values(of: "number", as: Int.self))" }
    add("Query.values(of:)") { "\(try $0.memos.query.values(of: ["id", "number"]))" }
    add("Query.values(of:_:_:as:_:_:)") {
      "\(try $0.memos.query.values(of: "id", "number", as: Int.self, Int.self))"
    }
    add("Query.values(of:)") { "\(try $0.memos.query.values(of: \.number))" }
    add("Query.values(of:_:)") { "\(try $0.memos.query.values(of: \.number, \.isDone))" }
    add("Query.values(of:_:_:)") { "\(try $0.memos.query.values(of: \.number, \.isDone, \.id))" }
    add("Query.distinctValues(of:as:)") {
      "\(try $0.memos.query.distinctValues(of: "user", as: String.self))"
    }
    add("Query.distinctValues(of:)") { "\(try $0.memos.query.distinctValues(of: ["user"]))" }
    add("Query.distinctValues(of:_:_:as:_:_:)") {
      "\(try $0.memos.query.distinctValues(of: "user", "isDone", as: String.self, Bool.self))"
    }
    add("Query.distinctValues(of:)") { "\(try $0.memos.query.distinctValues(of: \.user))" }
    addConvertedValues()
    add("Query.all(only:)") { try Desk.text($0.dynamic.query.all(only: "number")) }
    add("Query.all(only:)") { try Desk.text($0.dynamic.query.all(only: ["number"])) }
  }

  private mutating func addConvertedValues() {
    add("Query.values(of:)") { "\(try $0.memos.query.values(of: \.halved))" }
    add("Query.values(of:)") { "\(try $0.memos.query.values(of: \.mirroredMark))" }
    add("Query.distinctValues(of:)") { "\(try $0.memos.query.distinctValues(of: \.halved))" }
    add("Query.distinctValues(of:)") { "\(try $0.memos.query.distinctValues(of: \.mirroredMark))" }
    add("Query.min(of:)") { "\(String(describing: try $0.memos.query.min(of: \.halved)))" }
    add("Query.max(of:)") { "\(String(describing: try $0.memos.query.max(of: \.halved)))" }
  }

  mutating func addQueryTerminals() {
    add("Query.all()") { Desk.text(try $0.memos.query.all()) }
    add("Query.first()") {
      Desk.text(try [$0.memos.where("number > 0").first()].compactMap { $0 })
    }
    add("Query.last()") {
      Desk.text(try [$0.memos.where("number > 0").last()].compactMap { $0 })
    }
    add("Query.count()") { "\(try $0.memos.query.count())" }
    add("Query.exists()") { "\(try $0.memos.where("number < 10").exists())" }
    add("Query.forEach(_:)") { desk in
      var texts: [String] = []
      try desk.memos.query.forEach { texts.append(Desk.text($0)) }
      return texts.joined(separator: "\n")
    }
    add("Query.cursor()") { desk in
      let cursor = try desk.memos.query.cursor()
      var texts: [String] = []
      while let memo = try cursor.next() { texts.append(Desk.text(memo)) }
      return texts.joined(separator: "\n")
    }
    add("Query.page(number:size:)") { desk in
      let page = try desk.memos.query.page(number: 1, size: 3)
      return "\(page.totalItems) \(Desk.text(page.items))"
    }
    add("Query.remove()") { "\(try $0.memos.where("number > 0 OR isDone").remove())" }
    add("Query.update(set:)") {
      "\(try $0.memos.where("number > 0 OR isDone").update(set: ["title": "new"]))"
    }
    add("Query.update(_:)") {
      "\(try $0.memos.query.update { $0.increment("number", by: 7) })"
    }
    refuse("Query.update(set:)") {
      _ = try $0.memos.where("number == 20").update(set: ["user": "bob"])
    }
    refuse("Query.update(_:)") {
      _ = try $0.memos.where("number == 20").update { $0.set("user", toValueOf: "title") }
    }
    add("Query.deletionPlan()") { Desk.text(try $0.memos.query.deletionPlan()) }
    add("Query.matches(snippet:)") { desk in
      try desk.memos.search("tea").matches().map { "\($0.object.id) \($0.snippet)" }.sorted()
        .joined(separator: "\n")
    }
  }

  mutating func addGroups() {
    addGroup("Query.grouped(by:)") { $0.grouped(by: "user").aggregating(.count(as: "n")) }
    addGroup("Query.grouped(by:)") { $0.grouped(by: ["isDone"]).aggregating(.count(as: "n")) }
    addGroup("GroupedQuery.aggregating(_:)") {
      $0.grouped(by: "isDone").aggregating(.sum(of: "number", as: "n"))
    }
    addGroup("GroupedQuery.aggregating(_:)") {
      $0.grouped(by: "isDone").aggregating([.max(of: "number", as: "n")])
    }
    addGroup("GroupedQuery.having(_:_:)") {
      $0.grouped(by: "user").aggregating(.count(as: "n")).having("n > %@ OR n > 0", 1)
    }
    addGroup("GroupedQuery.having(_:arguments:named:)") {
      $0.grouped(by: "user").aggregating(.count(as: "n"))
        .having("n > $n", arguments: [], named: ["n": 1])
    }
    addGroup("GroupedQuery.sorted(by:)") {
      $0.grouped(by: "number").sorted(by: .descending("number"))
    }
    addGroup("GroupedQuery.sorted(by:)") {
      $0.grouped(by: "number").sorted(by: [.descending("number")])
    }
    addGroup("GroupedQuery.range(offset:length:)") {
      $0.grouped(by: "number").range(offset: 1, length: 3)
    }
    addGroup("GroupedQuery.rows()") { $0.grouped(by: "number") }
    add("GroupedQuery.rows(as:_:)") {
      "\(try $0.memos.query.grouped(by: "number", "id").rows(as: Int.self, Int.self))"
    }
    add("GroupedQuery.count()") { "\(try $0.memos.query.grouped(by: "number").count())" }
  }

  private mutating func addGroup(
    _ name: String, _ make: @escaping @Sendable (Query<Memo>) throws -> GroupedQuery<Memo>
  ) {
    add(name) { "\(try make($0.memos.query).rows())" }
  }
}
