import TestSupport
import Testing

import ObjectVaultCore

@Suite("Every operation of a partition") struct PartitionOperationTests {
  private struct Desks {
    let part: Desk
    let whole: Desk
    /// That of nobody but Ann.
    let alone: Desk

    init() throws {
      let everything = Memo.anns + Memo.bobs
      (part, whole) = (try Desk(everything, of: "ann"), try Desk(everything))
      alone = try Desk(Memo.anns)
    }
  }

  /// Nothing is written there.
  private static let readDesks = Result { try Desks() }

  /// What an operation answers, or the code that it fails with.
  private func outcome(_ operation: PartitionOperation, on desk: Desk) async -> String {
    do {
      return "answers " + (try await operation.run(desk))
    } catch let error as VaultError {
      return "throws \(error.code)"
    } catch {
      return "throws another error"
    }
  }

  @Test(
    "does what it does where there are no others, or is refused, and leaves others alone",
    .covers("X46"), arguments: PartitionOperations.all.operations)
  func limited(_ operation: PartitionOperation) async throws {
    let desks = try operation.changes ? Desks() : Self.readDesks.get()
    let (part, whole, alone) = (desks.part, desks.whole, desks.alone)
    let (before, beforeOfBob) = (try part.content(of: "ann"), try part.content(of: "bob"))
    let answer = await outcome(operation, on: part)
    #expect(try part.content(of: "bob") == beforeOfBob)
    let wholeAnswer = await outcome(operation, on: whole)
    switch operation.expectation {
    case .limited:
      #expect(answer == (await outcome(operation, on: alone)))
      #expect(try part.content(of: "ann") == alone.content(of: "ann"))
      // Without limits it meets Bob's: a test that cannot tell would be none.
      #expect(try wholeAnswer != answer || whole.content(of: "bob") != beforeOfBob)
    case .refused(let code):
      #expect(answer == "throws \(code)")
      #expect(try part.content(of: "ann") == before)
      #expect(wholeAnswer == "answers ")
    }
  }

  @Test("is one of those that the library declares", .covers("X46"))
  func all() throws {
    // Stores and queries have the operations of `Queryable`.
    let shared = try PublicOperations.declared(of: ["Queryable"]).flatMap { name in
      ["ObjectStore", "Query"].map { $0 + name.dropFirst("Queryable".count) }
    }
    let declared =
      try PublicOperations.declared(of: ["ObjectStore", "Query", "GroupedQuery"]) + shared
    let tried = PartitionOperations.all.operations.map(\.name)
    let apart = PartitionOperations.all.apart.map(\.name)
    #expect(Set(declared).subtracting(tried).subtracting(apart).sorted() == [])
    #expect(Set(tried + apart).subtracting(declared).sorted() == [])
    // Each of several of one name.
    for name in Set(declared) where !apart.contains(name) {
      let (forms, tries) = (declared.count { $0 == name }, tried.count { $0 == name })
      #expect(tries >= forms, "\(name)")
    }
  }
}
