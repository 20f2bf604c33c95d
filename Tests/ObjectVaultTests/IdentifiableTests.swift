import Foundation
import TestSupport
import Testing

import ObjectVault

@Stored
private struct Leaf { var name: String }

@Stored
private final class Branch {
  var name: String
  init(_ name: String) { self.name = name }
}

@Stored
private struct Tree {
  @ObjectID var code: String
  var height = 0
}

@Stored
private struct Bush {
  @ObjectID var id: Int?
  var height = 0
}

@Stored
private struct Plot {
  @ObjectID var row: Int
  @ObjectID var column: Int
  var crop: String
}

/// A type with an `id` that is not its object ID.
@Stored
private struct Label {
  @ObjectID var number: Int
  var id: String
}

/// A type with a function that excludes the property `id`.
@Stored
private struct Medal {
  var name: String
  func id() -> String { name }
}

@Stored(identifiable: false)
private struct Tag { var name: String }

/// A type that conforms by itself.
@Stored
private struct Seed { var name: String }

extension Seed: Identifiable {
  var id: String { name }
}

@Suite("Identifiable") struct IdentifiableTests {
  private func identity<T: Identifiable>(_ object: T) -> T.ID { object.id }

  private func vault() throws -> (TemporaryFolder, Vault) {
    let folder = try TemporaryFolder()
    return (folder, try Vault(at: folder.file("a.vault"), key: .ofTests))
  }

  @Test("a generated objectID is the identity once the object is stored")
  func generated() throws {
    let (folder, vault) = try vault()
    defer { withExtendedLifetime(folder) {} }
    #expect(identity(Leaf(name: "a")) == nil)
    #expect(try identity(vault.store(of: Leaf.self).insert(Leaf(name: "a"))) == Int64(1))
    let branch = Branch("a")
    #expect(identity(branch) == nil)
    try vault.store(of: Branch.self).insert(branch)
    #expect(identity(branch) == Int64(1))
  }

  @Test("an objectID of the application is the identity")
  func bound() {
    #expect(identity(Tree(code: "oak")) == "oak")
    #expect(identity(Bush(id: 7)) == Optional(7))
    #expect(identity(Plot(row: 1, column: 2, crop: "rye")) == Plot.CompositeID(row: 1, column: 2))
  }

  @Test("a type keeps an identity of its own, and may have none")
  func own() {
    #expect(Label(number: 1, id: "x").id == "x")
    #expect(!(Label(number: 1, id: "x") as Any is any Identifiable))
    #expect(Medal(name: "x").id() == "x")
    #expect(!(Medal(name: "x") as Any is any Identifiable))
    #expect(!(Tag(name: "a") as Any is any Identifiable))
    #expect(identity(Seed(name: "rye")) == "rye")
  }

  @Test("a predicate can compare the identity")
  func predicates() throws {
    let (folder, vault) = try vault()
    defer { withExtendedLifetime(folder) {} }
    let leaves = try vault.store(of: Leaf.self)
    try leaves.insert(contentsOf: ["a", "b"].map { Leaf(name: $0) })
    #expect(try leaves.where(#Predicate { $0.id == 2 }).all().map(\.name) == ["b"])
    let trees = try vault.store(of: Tree.self)
    try trees.insert(contentsOf: ["oak", "elm"].map { Tree(code: $0) })
    #expect(try trees.where(#Predicate { $0.id == "elm" }).count() == 1)
  }
}
