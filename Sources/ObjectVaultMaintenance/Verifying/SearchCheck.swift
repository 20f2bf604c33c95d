import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// A check that compares full-text indexes with the texts of their classes without writing to the
/// file.
///
/// SQLite's own check is a statement that writes. This check runs it on a copy of the index in
/// temporary in-memory tables and reads the texts from the file. It needs as much memory as the
/// index has pages.
struct SearchCheck {
  /// A damaged or outdated index.
  struct Finding: Hashable {
    var className: String
    /// The name of the index in the file.
    var index: String
  }

  private let session: Session
  private let comparesContent: Bool

  init(on engine: Connection) {
    session = Session(engine)
    comparesContent = SearchDefinition.comparesContent(engine)
  }

  /// Returns the indexes that are missing, outdated, different from the texts or unreadable.
  ///
  /// An index is outdated if its triggers are not those that the class needs. It is unreadable if
  /// bad pages prevent the comparison. Indexes of modules that the engine lacks are skipped.
  func findings() throws -> [Finding] {
    var findings: [Finding] = []
    for description in try described() {
      guard let definition = SearchDefinition(description),
        session.connection.hasSearchModule(definition.module.rawValue)
      else { continue }
      if try !isSound(definition, ofTable: description.table) {
        findings.append(Finding(className: description.name, index: definition.name))
      }
    }
    return findings
  }

  /// Returns the readable classes; bad pages in the others are already reported.
  private func described() throws -> [ClassDescription] {
    do {
      return try SystemTables(session).descriptions()
    } catch let error as DriverError {
      guard error.isDamage else { throw error }
      return []
    } catch is VaultError {
      return []
    }
  }

  private func isSound(_ definition: SearchDefinition, ofTable table: String) throws -> Bool {
    do {
      let schema = Schema(on: session)
      // A class without a table has nothing to search.
      guard try schema.hasTable(table) else { return true }
      let present = try PresentSearch(ofTable: table, in: schema).statements
      guard present == definition.statementsByName else { return false }
      return try session.engine.withoutDefensiveMode {
        try session.changingTemporaryTables {
          defer { for sql in SearchDefinition.dropCopy { try? session.engine.execute(sql) } }
          for sql in definition.copy { try session.engine.execute(sql) }
          try session.engine.execute(
            definition.checkOfCopy(comparingContent: comparesContent))
          return true
        }
      }
    } catch let error as DriverError {
      guard error.isDamage else { throw error }
      return false
    }
  }
}
