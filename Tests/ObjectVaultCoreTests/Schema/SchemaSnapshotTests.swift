import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("A snapshot of the schema") struct SchemaSnapshotTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("Schema.json") }

  init() throws { folder = try TemporaryFolder() }

  @Test("holds classes that are as they were, in whatever order they are given")
  func equal() throws {
    try SchemaSnapshot(of: MarkedObject.self, Tagged<Int>.self).write(to: path)
    try SchemaSnapshot(of: Tagged<Int>.self, MarkedObject.self).check(against: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("[\n  {\n    \"name\": \"MarkedObject\",\n"), "\(text)")
    #expect(text.hasSuffix("]\n"))
  }

  @Test("shows the lines that differ, and how to say that they are meant")
  func different() throws {
    try SchemaSnapshot(of: Tagged<Int>.self).write(to: path)
    do {
      try SchemaSnapshot(of: Tagged<String>.self).check(against: path)
      Issue.record("a changed class was not noticed")
    } catch let error as VaultError {
      #expect(error.code == .schemaMismatch)
      #expect(error.message.contains("write the snapshot again"))
      #expect(error.message.contains("-         \"type\": \"Int\""), "\(error.message)")
      #expect(error.message.contains("+         \"type\": \"String\""), "\(error.message)")
    }
  }

  @Test("that is not there is not made by the test that asks for it")
  func missing() throws {
    #expect {
      try SchemaSnapshot(of: MarkedObject.self).check(against: path)
    } throws: { error in
      (error as? VaultError)?.code == .noSuchFile
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("of a vault is that of the classes it was used with")
  func vault() throws {
    let vault = try Vault(at: folder.file("v"), key: .raw(1...32))
    _ = try vault.store(of: MarkedObject.self)
    #expect(try SchemaSnapshot(of: vault) == SchemaSnapshot(of: MarkedObject.self))
  }

  @Test("refuses a class that no vault stores")
  func invalid() throws {
    #expect {
      try SchemaSnapshot(of: Tagged<Never>.self)
    } throws: { error in
      (error as? VaultError)?.code == .invalidClass
    }
  }
}

/// A class whose one property has the type that is asked for.
private struct Tagged<Value>: StoredObject, GeneratesObjectID {
  var objectID: Int64?

  static var classDescription: ClassDescription {
    let type: [ObjectIdentifier: PropertyType] = [
      ObjectIdentifier(Int.self): .int, ObjectIdentifier(String.self): .string,
    ]
    let properties = type[ObjectIdentifier(Value.self)].map { PropertyDescription("tag", type: $0) }
    return ClassDescription("Tagged", properties: [properties ?? .init("", type: .int)])
  }

  init(row: Row) throws { objectID = try row.value(at: 1) }
  func encode(into binder: Binder) throws {}
}
