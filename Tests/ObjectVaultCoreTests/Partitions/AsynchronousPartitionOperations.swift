import Foundation
import ObjectVaultCondition

import ObjectVaultCore

// The asynchronous form of each operation.

extension PartitionOperations {
  mutating func addAsynchronousReads() {
    addAsync("ObjectStore.all()") { Desk.text(try await $0.memos.all()) }
    addAsync("ObjectStore.first()") { Desk.text(try await [$0.memos.first()].compactMap { $0 }) }
    addAsync("ObjectStore.count()") { "\(try await $0.memos.count())" }
    addAsync("ObjectStore.find(_:)") {
      let found = (try await $0.memos.find(4), try await $0.memos.find(3))
      return "\(found.0 == nil) \(found.1 == nil)"
    }
    addAsync("Query.all()") { Desk.text(try await $0.memos.query.all()) }
    addAsync("Query.first()") {
      Desk.text(try await [$0.memos.where("number > 0").first()].compactMap { $0 })
    }
    addAsync("Query.count()") { "\(try await $0.memos.query.count())" }
    addAsynchronousValues()
  }

  private mutating func addAsynchronousValues() {
    addAsynchronousConvertedValues()
  }

  private mutating func addAsynchronousConvertedValues() {
  }

  mutating func addAsynchronousWrites() {
    refuseAsync("ObjectStore.insert(_:owned:)") { try await $0.memos.insert(Self.other) }
    refuseAsync("ObjectStore.insert(contentsOf:owned:)") {
      try await $0.memos.insert(contentsOf: [Memo(101, of: "ann", number: 1), Self.other])
    }
    refuseAsync("ObjectStore.save(_:owned:)") { try await $0.memos.save(Self.given) }
    addAsync("ObjectStore.update(_:owned:)") {
      try await $0.memos.update(Self.foreign)
      return ""
    }
    addAsync("ObjectStore.remove(_:)") {
      try await $0.memos.remove(Self.foreign)
      return ""
    }
  }
}
