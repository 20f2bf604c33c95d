import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession

/// A read-only check that the columns of sealed properties contain sealed values alone.
///
/// It needs no sealing key, so that it detects values that another program stored in plaintext, but
/// not sealed values that were changed.
struct SealedValueCheck {
  private let session: Session

  init(on engine: Connection) { session = Session(engine) }

  /// Returns descriptions of the columns with other values, without a final full stop.
  ///
  /// The list is empty if there are none, or if damaged pages, which are reported separately,
  /// prevent the check.
  func findings() throws -> [String] {
    do {
      let schema = Schema(on: session)
      return try SystemTables(session).descriptions().map(\.table)
        .filter { try schema.hasTable($0) }
        .flatMap { try findings(inTable: $0, schema) }
    } catch let error as DriverError {
      guard error.isDamage else { throw error }
      return []
    } catch is VaultError {
      return []
    }
  }

  private func findings(inTable table: String, _ schema: Schema) throws -> [String] {
    guard let stored = try SystemTables(session).sealedClass(ofTable: table) else { return [] }
    let columns = Set(try schema.columns(of: table).map(\.name))
    let sealed = (stored.description.formerProperties + stored.removed)
      .filter { $0.sealedColumn != nil && columns.contains($0.property.column) }
    if sealed.isEmpty { return [] }
    let counts = sealed.map { "count(CASE WHEN \(Self.isUnsealed($0)) THEN 1 END)" }
    return try session.with(
      "SELECT \(counts.joined(separator: ", ")) FROM \(SQL.quoted(table))"
    ) { statement in
      guard try statement.step() else { return [] }
      return sealed.indices.compactMap { index in
        let count = statement.row.integer(at: index)
        if count == 0 { return nil }
        return "\(count == 1 ? "a value" : "\(count) values") of property "
          + "'\(sealed[index].property.name)' of class '\(stored.description.name)'"
      }
    }
  }

  /// Returns the SQL expression that is true for a value that does not have the form of a sealed one.
  private static func isUnsealed(_ property: FormerProperty) -> String {
    let column = SQL.quoted(property.property.column)
    let isFindable = property.sealedColumn?.isFindable == true
    let form = isFindable ? 2 : property.sealedColumn?.isErasable == true ? 3 : 1
    // The form, the number of the key, the nonce, a kind byte and the tag; the index if findable.
    let size = 34 + (isFindable ? 32 : 0)
    return "\(column) IS NOT NULL AND (typeof(\(column)) <> 'blob' OR length(\(column)) < \(size) "
      + "OR substr(\(column), 1, 1) <> x'0\(form)')"
  }
}
