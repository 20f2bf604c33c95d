import ObjectVault
import TestSupport
import Testing

private enum Size: String, Codable { case small, large }
private enum Rung: Int16 { case low = 1, high = 2 }

@Stored(table: "Box")
private struct NumberedBox {
  var label: String
  var size: Int?
}

@Stored(table: "Box")
private struct SizedBox {
  var label: String
  var size: Size?
  static let conversions = [
    PropertyConversion("size", from: Int.self) { $0 > 1 ? Size.large : .small }
  ]
}

@Stored(table: "Box")
private struct RenumberedBox {
  var label: String
  var size: Int?
  static let conversions = [
    PropertyConversion("size", from: Size?.self) { $0.map { $0 == .large ? 2 : 1 } ?? 0 }
  ]
}

@Stored(table: "Box")
private struct RungBox {
  var label: String
  var size: Rung?
}

/// A program that is started again and again, each time with other classes.
private struct ChangingProgram {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func run(_ body: (Vault) throws -> Void) throws {
    let vault = try Vault(at: folder.file("a.vault"), key: .ofTests)
    defer { vault.close() }
    try body(vault)
  }
}

@Suite("Conversions of enumerations")
struct ConversionTests {
  private let program: ChangingProgram

  init() throws { program = try ChangingProgram() }

  @Test("store their raw values, and read them")
  func rawValues() throws {
    try program.run { vault in
      try vault.store(of: NumberedBox.self).insert(
        contentsOf: [("a", 1), ("b", 2), ("c", nil)].map { NumberedBox(label: $0, size: $1) })
    }
    try program.run { vault in
      let boxes = try vault.store(of: SizedBox.self)
      #expect(try boxes.all().map(\.size) == [.small, .large, nil])
    }
    try program.run { vault in
      let boxes = try vault.store(of: RenumberedBox.self)
      #expect(try boxes.all().map(\.size) == [1, 2, 0])
    }
  }

  @Test("are refused if the type lacks a value")
  func missingCase() throws {
    try program.run { vault in
      try vault.store(of: NumberedBox.self).insert(NumberedBox(label: "a", size: 7))
    }
    try program.run { vault in
      #expect(code { _ = try vault.store(of: RungBox.self) } == .upgradeRefused)
    }
    try program.run { vault in
      let boxes = try vault.store(of: NumberedBox.self)
      #expect(try boxes.all().map(\.size) == [7])
      try boxes.query.update(set: ["size": 2])
    }
    try program.run { vault in
      let boxes = try vault.store(of: RungBox.self)
      #expect(try boxes.all().map(\.size) == [.high])
    }
  }
}

@Stored(table: "Author")
private struct Author {
  var name: String
}

@Stored(table: "Work")
private struct Draft {
  var pages: String
  @Reference var author: Ref<Author>?
}

@Stored(table: "Work")
private struct Work {
  var pages: Int
  @Reference var author: Ref<Author>?
  static let version = 2
  static func migrate(_ context: MigrationContext, from old: Int, to new: Int) throws {
    if old > 0 { try context.execute("DELETE FROM \"Author\"") }
  }
}

@Suite("Migrations of a class whose table is rebuilt")
struct RebuildingMigrationTests {
  @Test("are refused if they leave a reference without its object")
  func dangling() throws {
    let program = try ChangingProgram()
    try program.run { vault in
      let author = try vault.store(of: Author.self).insert(Author(name: "a"))
      try vault.store(of: Draft.self).insert(Draft(pages: "12", author: Ref(author)))
    }
    try program.run { vault in
      #expect(code { _ = try vault.store(of: Work.self) } == .upgradeRefused)
    }
    try program.run { vault in
      let drafts = try vault.store(of: Draft.self)
      #expect(try vault.store(of: Author.self).count() == 1)
      #expect(try drafts.all().map(\.pages) == ["12"])
      try drafts.query.update(set: ["author": nil])
    }
    try program.run { vault in
      let works = try vault.store(of: Work.self)
      #expect(try works.all().map(\.pages) == [12])
      #expect(try vault.store(of: Author.self).count() == 0)
    }
  }
}

private struct Contour: Codable, Hashable {
  var x: Double
}

@Stored
private struct Sketch {
  @ObjectID var id: Int
  var name: String
  var outline: Contour?
}

@Suite("Partial updates of objects with composites")
struct PartialCompositeTests {
  @Test("write only the given properties, whatever the others contain")
  func composites() throws {
    let vault = try Vault.temporary()
    let sketches = try vault.store(of: Sketch.self)
    try sketches.insert(Sketch(id: 1, name: "a", outline: Contour(x: 1)))
    let changed = Sketch(id: 1, name: "b", outline: Contour(x: .nan))
    try sketches.update(changed, only: "name")
    #expect(try sketches.find(1)?.name == "b" && sketches.find(1)?.outline == Contour(x: 1))
    let error = #expect(throws: VaultError.self) { try sketches.update(changed, only: "outline") }
    #expect(error?.code == .invalidValue)
  }
}
