import ObjectVaultFile
import ObjectVaultSchema

extension SizeReport {
  /// Creates the report of a file by reading all of its pages.
  init(_ pages: StoredPages) throws {
    let owners = try PageOwners(pages)
    var counts: [Part: Int] = [:]
    var known = 0
    for (owner, count) in owners.counts(in: pages) {
      counts[Part(owner, owners.schema), default: 0] += count
      known += count
    }
    let unknown = pages.presentCount - known
    if unknown > 0 { counts[.unknown, default: 0] += unknown }
    pageSize = pages.pageSize
    entries = counts.map { Entry(part: $0.key, bytes: $0.value * pages.pageSize) }
      .sorted { ($1.bytes, $0.part.description) < ($0.bytes, $1.part.description) }
  }
}

extension SizeReport.Part {
  /// Returns the part that the pages of an owner belong to.
  fileprivate init(_ owner: PageOwner, _ schema: StoredSchema) {
    self =
      switch owner {
      case .objects(let name): Self(table: name, schema) ?? .objects(of: name)
      case .index(let name, let table): Self(table: table, schema) ?? .index(name, of: table)
      case .schema, .pointerMap: .catalogue
      case .freeSpace: .freeSpace
      case .below(_, let name): Self(table: name, schema) ?? .objects(of: name)
      case .unknown: .unknown
      }
  }

  /// Returns the part that a table of the library belongs to; `nil` for other tables.
  private init?(table: String, _ schema: StoredSchema) {
    if [SharedBlobs.contents, SharedBlobs.uses].contains(table) {
      self = .sharedBlobs
    } else if let searched = schema.tableSearched(by: table) {
      self = .searchIndex(of: schema.title(ofTable: searched))
    } else if table.hasPrefix("objectvault_") || table.hasPrefix("sqlite_") {
      self = .catalogue
    } else {
      return nil
    }
  }
}

extension StoredSchema {
  /// Returns the table whose full-text index consists of tables like this one.
  fileprivate func tableSearched(by table: String) -> String? {
    // The engine names the tables of an index NAME_segments, NAME_data and so on.
    guard table.hasPrefix("objectvault_"), let end = table.lastIndex(of: "_") else { return nil }
    let index = table[..<end]
    return entries.first {
      $0.type == "table" && SearchDefinition.name(ofTable: $0.name) == index
    }?.name
  }
}
