import ObjectVaultEngine

/// Compares indexes of words with the texts of their classes, and writes nothing into the file.
///
/// The engine's own check is a statement that writes. It is given a copy of the index in temporary
/// tables, which are in memory, and the texts where they are: as much memory is used as the index has
/// pages.
struct SearchCheck {
  /// An index that is not as it must be.
  struct Finding: Hashable {
    var className: String
    /// The name of the index in the file.
    var index: String
  }

  private let connection: VaultConnection
  private let comparesContent: Bool

  init(on engine: Connection) throws(EngineError) {
    connection = VaultConnection(engine)
    comparesContent = try Engine.prove().sqliteVersionNumber >= 3_042_000
  }

  /// The indexes that are missing, are not kept by the triggers that the class needs, have other words
  /// than the texts, or cannot be compared with them because of bad pages. Those of a module that the engine lacks are left out.
  func findings() throws -> [Finding] {
    var findings: [Finding] = []
    for description in try described() {
      guard let definition = SearchDefinition(description), try !definition.module.isMissing else {
        continue
      }
      if try !isSound(definition, ofTable: description.table) {
        findings.append(Finding(className: description.name, index: definition.name))
      }
    }
    return findings
  }

  /// The classes that can be read: a bad page among them is named already.
  private func described() throws -> [ClassDescription] {
    do {
      return try SystemTables(connection).descriptions()
    } catch let error as EngineError {
      guard error.isDamage else { throw error }
      return []
    } catch is VaultError {
      return []
    }
  }

  private func isSound(_ definition: SearchDefinition, ofTable table: String) throws -> Bool {
    do {
      let schema = Schema(on: connection)
      // A class without its table has nothing to be found.
      guard try schema.hasTable(table) else { return true }
      let present = try PresentSearch(ofTable: table, in: schema).statements
      guard present == definition.statementsByName else { return false }
      return try connection.engine.withoutDefensiveMode {
        try connection.changingTemporaryTables {
          defer { for sql in SearchDefinition.dropCopy { try? connection.engine.execute(sql) } }
          for sql in definition.copy { try connection.engine.execute(sql) }
          try connection.engine.execute(
            definition.checkOfCopy(comparingContent: comparesContent))
          return true
        }
      }
    } catch let error as EngineError {
      guard error.isDamage else { throw error }
      return false
    }
  }
}
