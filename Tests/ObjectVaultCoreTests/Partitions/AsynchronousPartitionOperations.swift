import Foundation
import ObjectVaultCondition

import ObjectVaultCore

// The asynchronous form of each operation.

extension PartitionOperations {
  mutating func addAsynchronousReads() {
    addAsync("ObjectStore.all()") { Desk.text(try await $0.memos.all()) }
    addAsync("ObjectStore.first()") { Desk.text(try await [$0.memos.first()].compactMap { $0 }) }
    addAsync("ObjectStore.last()") { Desk.text(try await [$0.memos.last()].compactMap { $0 }) }
    addAsync("ObjectStore.count()") { "\(try await $0.memos.count())" }
    addAsync("ObjectStore.page(number:size:)") { desk in
      let page = try await desk.memos.page(number: 2, size: 3)
      return "\(page.totalItems) \(Desk.text(page.items))"
    }
    addAsync("ObjectStore.find(_:)") {
      let found = (try await $0.memos.find(4), try await $0.memos.find(3))
      return "\(found.0 == nil) \(found.1 == nil)"
    }
    addAsync("ObjectStore.find(_:)") { Desk.text(try await $0.memos.find([9, 3, 1, 2])) }
    addAsync("ObjectStore.contains(id:)") { "\(try await $0.memos.contains(id: 4))" }
    addAsync("ObjectStore.related(to:through:by:from:)") { desk in
      Desk.text(
        try await desk.memos.related(
          to: Memo.anns[3], through: MemoLink.self, by: "to", from: "from"))
    }
    addAsync("ObjectStore.objects(_:)") {
      Desk.text(try await $0.memos.objects("SELECT * FROM \(Memo.self) ORDER BY number"))
    }
    addAsync("ObjectStore.objectsWithRows(_:)") {
      let found = try await $0.memos.objectsWithRows("SELECT * FROM \(Memo.self) ORDER BY number")
      return "\(found.map(\.object.id))"
    }
    addAsync("ObjectStore.deletionPlan()") { Desk.text(try await $0.memos.deletionPlan()) }
    addAsync("ObjectStore.deletionPlan(of:)") {
      Desk.text(try await $0.memos.deletionPlan(of: Self.foreign))
    }
    addAsync("ObjectStore.deletionPlan(ofIDs:)") {
      Desk.text(try await $0.memos.deletionPlan(ofIDs: [3, 4]))
    }
    addAsync("Query.all()") { Desk.text(try await $0.memos.query.all()) }
    addAsync("Query.first()") {
      Desk.text(try await [$0.memos.where("number > 0").first()].compactMap { $0 })
    }
    addAsync("Query.last()") {
      Desk.text(try await [$0.memos.where("number > 0").last()].compactMap { $0 })
    }
    addAsync("Query.count()") { "\(try await $0.memos.query.count())" }
    addAsync("Query.exists()") { "\(try await $0.memos.where("number < 10").exists())" }
    addAsync("Query.forEach(_:)") { desk in
      let texts = Deliveries<String>()
      try await desk.memos.query.forEach { texts.add(Desk.text($0)) }
      return texts.elements.joined(separator: "\n")
    }
    addAsync("Query.page(number:size:)") { desk in
      let page = try await desk.memos.query.page(number: 1, size: 3)
      return "\(page.totalItems) \(Desk.text(page.items))"
    }
    addAsync("Query.deletionPlan()") { Desk.text(try await $0.memos.query.deletionPlan()) }
    addAsync("Query.matches(snippet:)") { desk in
      try await desk.memos.search("tea").matches().map { "\($0.object.id) \($0.snippet)" }
        .sorted().joined(separator: "\n")
    }
    addAsync("Query.all(only:)") {
      try Desk.text(try await $0.dynamic.query.all(only: "number"))
    }
    addAsync("GroupedQuery.rows()") {
      "\(try await $0.memos.query.grouped(by: "number").rows())"
    }
    addAsync("GroupedQuery.rows(as:_:)") {
      "\(try await $0.memos.query.grouped(by: "number", "id").rows(as: Int.self, Int.self))"
    }
    addAsync("GroupedQuery.count()") {
      "\(try await $0.memos.query.grouped(by: "number").count())"
    }
    addAsynchronousValues()
  }

  private mutating func addAsynchronousValues() {
    addAsync("Query.min(of:as:)") {
      String(describing: try await $0.memos.query.min(of: "number", as: Int.self))
    }
    addAsync("Query.max(of:as:)") {
      String(describing: try await $0.memos.query.max(of: "number", as: Int.self))
    }
    addAsync("Query.sum(of:as:)") {
      String(describing: try await $0.memos.query.sum(of: "number", as: Int.self))
    }
    addAsync("Query.average(of:)") {
      String(describing: try await $0.memos.query.average(of: "number"))
    }
    addAsync("Query.min(of:)") { String(describing: try await $0.memos.query.min(of: \.number)) }
    addAsync("Query.max(of:)") { String(describing: try await $0.memos.query.max(of: \.number)) }
    addAsync("Query.sum(of:)") { String(describing: try await $0.memos.query.sum(of: \.number)) }
    addAsync("Query.average(of:)") {
      String(describing: try await $0.memos.query.average(of: \.number))
    }
    addAsync("Query.values(of:as:)") {
      "\(try await $0.memos.query.values(of: "number", as: Int.self))"
    }
    addAsync("Query.values(of:)") { "\(try await $0.memos.query.values(of: ["id", "number"]))" }
    addAsync("Query.values(of:_:_:as:_:_:)") {
      "\(try await $0.memos.query.values(of: "id", "number", as: Int.self, Int.self))"
    }
    addAsync("Query.values(of:)") { "\(try await $0.memos.query.values(of: \.number))" }
    addAsync("Query.values(of:_:)") {
      "\(try await $0.memos.query.values(of: \.number, \.isDone))"
    }
    addAsync("Query.values(of:_:_:)") {
      "\(try await $0.memos.query.values(of: \.number, \.isDone, \.id))"
    }
    addAsync("Query.distinctValues(of:as:)") {
      "\(try await $0.memos.query.distinctValues(of: "user", as: String.self))"
    }
    addAsync("Query.distinctValues(of:)") {
      "\(try await $0.memos.query.distinctValues(of: ["user"]))"
    }
    addAsync("Query.distinctValues(of:_:_:as:_:_:)") {
      "\(try await $0.memos.query.distinctValues(of: "user", "id", as: String.self, Int.self))"
    }
    addAsync("Query.distinctValues(of:)") {
      "\(try await $0.memos.query.distinctValues(of: \.user))"
    }
    addAsynchronousConvertedValues()
  }

  private mutating func addAsynchronousConvertedValues() {
    addAsync("Query.values(of:)") { "\(try await $0.memos.query.values(of: \.halved))" }
    addAsync("Query.values(of:)") { "\(try await $0.memos.query.values(of: \.mirroredMark))" }
    addAsync("Query.distinctValues(of:)") {
      "\(try await $0.memos.query.distinctValues(of: \.halved))"
    }
    addAsync("Query.distinctValues(of:)") {
      "\(try await $0.memos.query.distinctValues(of: \.mirroredMark))"
    }
    addAsync("Query.min(of:)") { String(describing: try await $0.memos.query.min(of: \.halved)) }
    addAsync("Query.max(of:)") { String(describing: try await $0.memos.query.max(of: \.halved)) }
  }

  mutating func addAsynchronousWrites() {
    refuseAsync("ObjectStore.insert(_:owned:)") { try await $0.memos.insert(Self.other) }
    refuseAsync("ObjectStore.insert(contentsOf:owned:)") {
      try await $0.memos.insert(contentsOf: [Memo(101, of: "ann", number: 1), Self.other])
    }
    refuseAsync("ObjectStore.replace(_:owned:)") { try await $0.memos.replace(Self.given) }
    refuseAsync("ObjectStore.save(_:owned:)") { try await $0.memos.save(Self.given) }
    refuseAsync("ObjectStore.save(contentsOf:owned:)") {
      try await $0.memos.save(contentsOf: [Memo(101, of: "ann", number: 1), Self.given])
    }
    addAsync("ObjectStore.update(_:owned:)") {
      try await $0.memos.update(Self.foreign)
      return ""
    }
    addAsync("ObjectStore.update(_:only:)") {
      try await $0.memos.update(Self.foreign, only: "title")
      return ""
    }
    addAsync("ObjectStore.update(_:only:)") {
      try await $0.memos.update(Self.foreign, only: ["title", "user"])
      return ""
    }
    addAsync("ObjectStore.update(contentsOf:owned:)") {
      try await $0.memos.update(contentsOf: [Memo.anns[0], Self.foreign])
      return ""
    }
    addAsync("ObjectStore.update(contentsOf:only:)") {
      try await $0.memos.update(contentsOf: [Memo.anns[0], Self.foreign], only: "title")
      return ""
    }
    addAsync("ObjectStore.update(contentsOf:only:)") {
      try await $0.memos.update(contentsOf: [Memo.anns[0], Self.foreign], only: ["title", "user"])
      return ""
    }
    refuseAsync("ObjectStore.updateChanges(of:since:)") {
      _ = try await $0.memos.updateChanges(
        of: Self.given, since: ObjectSnapshot(of: Memo.anns[1]))
    }
    addAsync("ObjectStore.updateChanges(of:from:)") {
      var former = Self.foreign
      former.title = "other"
      return "\(try await $0.memos.updateChanges(of: Self.foreign, from: former))"
    }
    addAsync("ObjectStore.changeID(of:to:)") {
      try await $0.memos.changeID(of: 4, to: 200)
      return ""
    }
    addAsync("ObjectStore.remove(_:)") {
      try await $0.memos.remove(Self.foreign)
      return ""
    }
    addAsync("ObjectStore.remove(id:)") {
      try await $0.memos.remove(id: 4)
      return ""
    }
    addAsync("ObjectStore.remove(contentsOf:)") {
      try await $0.memos.remove(contentsOf: [Memo.anns[1], Self.foreign])
      return ""
    }
    addAsync("ObjectStore.remove(ids:)") {
      try await $0.memos.remove(ids: [3, 4])
      return ""
    }
    addAsync("ObjectStore.removeAll()") { "\(try await $0.memos.removeAll())" }
    addAsync("ObjectStore.removeAll(insertedBefore:)") {
      "\(try await $0.memos.removeAll(insertedBefore: .distantFuture))"
    }
    addAsync("Query.remove()") { "\(try await $0.memos.where("number > 0 OR isDone").remove())" }
    addAsync("Query.update(set:)") {
      "\(try await $0.memos.where("number > 0 OR isDone").update(set: ["title": "new"]))"
    }
    addAsync("Query.update(_:)") {
      "\(try await $0.memos.query.update { $0.increment("number", by: 7) })"
    }
  }
}
