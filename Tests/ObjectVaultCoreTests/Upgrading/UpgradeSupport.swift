import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSchema
import ObjectVaultSession
import Testing
import TestSupport

/// A vault whose classes change from one step of a test to the next.
struct ChangingVault {
  let folder: TemporaryFolder
  let vault: Vault
  static let key = VaultKey.raw(1...32)

  init(_ configuration: VaultConfiguration = VaultConfiguration()) throws {
    folder = try TemporaryFolder()
    vault = try Vault(at: folder.file("a.vault"), key: Self.key, configuration: configuration)
  }

  private init(folder: TemporaryFolder, vault: Vault) {
    self.folder = folder
    self.vault = vault
  }

  /// The vault closed and opened again, as by the next program.
  func reopened(_ configuration: VaultConfiguration = VaultConfiguration()) throws -> ChangingVault
  {
    vault.close()
    return ChangingVault(folder: folder, vault: try another(configuration))
  }

  /// Another handle on the file.
  func another(_ configuration: VaultConfiguration = VaultConfiguration()) throws -> Vault {
    try Vault(at: vault.path, key: Self.key, configuration: configuration)
  }

  /// Creates or upgrades the tables of classes together.
  func install(_ descriptions: [ClassDescription]) throws {
    try SchemaInstallation(
      database: vault, opened: vault.file(),
      declarations: descriptions.map { ClassDeclaration($0) }
    ).install()
  }

  /// Stores an object of a class for each list of values.
  func insert(_ description: ClassDescription, _ objects: [StoredValue]...) throws {
    let store = try vault.store(of: description)
    try store.insert(
      contentsOf: objects.map { values in
        var object = try DynamicObject(of: description)
        for (property, value) in zip(description.properties, values) {
          try object.set(property.name, to: value)
        }
        return object
      })
  }

  func run(_ statements: String...) throws {
    try vault.file().transaction { connection in
      for statement in statements { try connection.execute(statement) }
    }
  }

  /// Removes the removed properties from the descriptions, as the first versions of the library did.
  func forgetRemovedProperties() throws {
    try run(
      "UPDATE objectvault_classes SET description = "
        + "substr(description, 1, instr(description, ',\"removed\":') - 1) || '}' "
        + "WHERE instr(description, ',\"removed\":') > 0")
  }

  /// The rows of a query.
  func rows(_ sql: String) throws -> [[StoredValue]] {
    try vault.file().read { connection in
      let statement = try connection.engine.prepare(sql, persistent: false)
      var rows: [[StoredValue]] = []
      while try statement.step() {
        rows.append((0..<statement.columnCount).map { statement.row.storedValue(at: $0) })
      }
      return rows
    }
  }

  /// Everything that the file's schema and its descriptions say.
  func schema() throws -> [[StoredValue]] {
    try rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
      + rows("SELECT \"table\", name, description FROM objectvault_classes ORDER BY 1")
  }

  /// What a refused upgrade says; that nothing was changed by it is seen to.
  func refusal(
    _ description: ClassDescription, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let before = try schema()
    let error = #expect(throws: VaultError.self, sourceLocation: sourceLocation) {
      _ = try vault.store(of: description)
    }
    #expect(error?.code == .upgradeRefused, sourceLocation: sourceLocation)
    #expect(try schema() == before, sourceLocation: sourceLocation)
    try checkSettings(sourceLocation: sourceLocation)
    return error?.message ?? ""
  }

  /// Sees that the connection that writes is as every other again.
  func checkSettings(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let settings = try vault.file().withWriter { connection in
      [
        try connection.engine.pragma("foreign_keys"),
        try connection.engine.pragma("legacy_alter_table") ?? "0",
      ]
    }
    #expect(settings == ["1", "0"], sourceLocation: sourceLocation)
  }
}

extension ClassDescription {
  /// The class with other properties, indexes or references.
  func with(
    _ properties: [PropertyDescription]? = nil, objectID: [String]? = nil,
    indexes: [IndexDescription]? = nil, references: [ReferenceDescription]? = nil
  ) -> ClassDescription {
    let own: [String] =
      switch self.objectID {
      case .generated: []
      case .properties(let positions): positions.map { self.properties[$0].name }
      }
    return ClassDescription(
      name, table: table, properties: properties ?? self.properties, objectID: objectID ?? own,
      indexes: indexes ?? self.indexes, references: references ?? self.references, owned: owned)
  }
}
