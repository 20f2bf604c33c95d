import Foundation
import ObjectVaultFile
import ObjectVaultModel
import ObjectVaultSchema

/// A class that is described in the file, with the facts about its table.
struct LostClass {
  let description: ClassDescription
  /// The removed properties whose columns remain in the table.
  let removed: [FormerProperty]
  /// The columns of the table in their order; none if they are not recorded.
  ///
  /// They are those of a new table then, unless an earlier version added columns.
  let tableColumns: [String]

  /// Parses the description of a class.
  ///
  /// - Throws: `.damaged` if the text is not a valid description.
  init(json: String, table: String) throws {
    description = try ClassDescription(json: json, table: table)
    removed = try ClassDescription.removedProperties(json: json, table: table)
    let names = try ClassDescription.tableColumns(json: json, table: table)
    tableColumns = Set(names.map(\.asciiLowercased)).count == names.count ? names : []
  }
}

/// The information about a vault on its other pages, if its list of tables is lost.
struct LostClasses {
  /// The described classes.
  private(set) var classes: [LostClass] = []
  /// The rows of `objectvault_info`.
  private(set) var info: [String: String] = [:]
  /// The last generated number, by table.
  private(set) var sequences: [String: Int64] = [:]

  /// Reads the information from unreferenced trees, and removes these trees from the list.
  init(
    _ pages: StoredPages, _ schema: StoredSchema, _ loose: inout [LooseTrees.Tree]
  ) throws {
    for entry in schema.entries where Self.tables.contains(entry.name) {
      _ = try TreeScan(pages: pages, root: entry.root, isTable: true) { row in
        take(row.record?.values ?? [], pages.encoding)
      }
    }
    try take(from: &loose, pages) { values in
      Self.described(values, pages.encoding) != nil
        || (values.count == 2 && Self.infoKeys.contains(Self.text(values[0], pages.encoding) ?? ""))
    }
    // The names of tables are known only after the first pass.
    let names = Set(classes.map(\.description.table))
    try take(from: &loose, pages) { values in
      guard values.count == 2, case .integer = values[1],
        let name = Self.text(values[0], pages.encoding)
      else { return false }
      return names.contains(name)
    }
    // The descriptions name the columns of shared blobs too.
    loose.removeAll { tree in
      tree.samples.contains { values in
        guard values.count == 2, let column = Self.text(values[1], pages.encoding),
          let name = Self.text(values[0], pages.encoding),
          let found = classes.first(where: { $0.description.table == name })
        else { return false }
        return SharedBlobs.columns(of: found.description, removed: found.removed).contains(column)
      }
    }
  }

  /// Returns the identifier, the keyring generation and the codes of the sealing keys of a vault,
  /// without those that are missing or lost.
  ///
  /// - Parameters:
  ///   - pages: The pages of the file.
  ///   - schema: The list of tables.
  ///   - loose: The unreferenced trees, if the list of tables is lost.
  /// - Returns: The identity, without the salt.
  /// - Throws: The errors of reading the file.
  static func identity(
    in pages: StoredPages, _ schema: StoredSchema, _ loose: [LooseTrees.Tree] = []
  ) throws -> VaultIdentity {
    var loose = loose
    let info = try LostClasses(pages, schema, &loose).info
    var identity = VaultIdentity(
      id: info["vault_id"].flatMap { UUID(uuidString: $0) },
      keyringGeneration: info["keyring_generation"].flatMap { UInt64($0) })
    for (key, code) in info {
      if let number = SystemTables.sealingNumber(ofKey: key) {
        identity.sealingCodes[number] = code
      }
    }
    return identity
  }

  private static let infoKeys: Set<String> = ["vault_id", "format_version", CommitCounter.key]

  /// The tables with information about the vault, if the list of tables contains them.
  private static let tables: Set<String> = [
    "objectvault_info", "objectvault_classes", "sqlite_sequence",
  ]

  /// Reads the trees that contain a record selected by `isMeant`, and removes them from the list.
  private mutating func take(
    from loose: inout [LooseTrees.Tree], _ pages: StoredPages,
    _ isMeant: ([RecordValue]) -> Bool
  ) throws {
    let meant = loose.filter { $0.isTable && $0.samples.contains(where: isMeant) }
    loose.removeAll { tree in meant.contains { $0.root == tree.root } }
    for tree in meant {
      _ = try TreeScan(pages: pages, root: tree.root, isTable: true) { row in
        take(row.record?.values ?? [], pages.encoding)
      }
    }
  }

  private mutating func take(_ values: [RecordValue], _ encoding: TextEncoding) {
    if let found = Self.described(values, encoding) {
      if !classes.contains(where: { $0.description.table == found.description.table }) {
        classes.append(found)
      }
    } else if values.count == 2, let key = Self.text(values[0], encoding) {
      if case .integer(let number) = values[1] {
        sequences[key] = number
      } else if let value = Self.text(values[1], encoding) {
        info[key] = value
      }
    }
  }

  private static func described(
    _ values: [RecordValue], _ encoding: TextEncoding
  ) -> LostClass? {
    guard values.count == 3, let table = text(values[0], encoding),
      let json = text(values[2], encoding),
      let found = try? LostClass(json: json, table: table)
    else { return nil }
    return found.description.table == table ? found : nil
  }

  private static func text(_ value: RecordValue, _ encoding: TextEncoding) -> String? {
    if case .text(let bytes) = value { encoding.text(bytes) } else { nil }
  }
}
