import ObjectVaultDriver
import ObjectVaultEngine
import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores

/// A read-only comparison of shared contents with the rows that use them.
struct SharedBlobCheck {
  private let session: Session

  init(on engine: Connection) { session = Session(engine) }

  /// Returns descriptions of the problems, without a final full stop.
  ///
  /// The list is empty if there are none, or if damaged pages, which are reported separately,
  /// prevent the check.
  func findings() throws -> [String] {
    do {
      let schema = Schema(on: session)
      guard try schema.hasTable(SharedBlobs.columns) else { return [] }
      return try columns(in: schema) + triggers(in: schema) + contents(in: schema)
    } catch let error as DriverError {
      guard error.isDamage else { throw error }
      return ["the shared contents cannot be compared with their uses"]
    } catch is VaultError {
      return []
    }
  }

  /// Compares the list of columns with the triggers and the descriptions of classes.
  private func columns(in schema: Schema) throws -> [String] {
    let listed = Set(try SharedBlobs.columns(in: schema))
    return try SharedBlobs.allColumns(in: schema).filter { !listed.contains($0) }.map {
      "the list of columns with shared contents lacks column '\($0.column)' of table "
        + "'\($0.table)'; reindex the file to fix it"
    }
  }

  private func triggers(in schema: Schema) throws -> [String] {
    try SharedBlobs.definitions(in: schema).filter { table, columns in
      try PresentSharing(ofTable: table, in: schema).triggers
        != SharingDefinition(table: table, columns: columns).statements
    }.map { "the triggers that count the shared contents of table '\($0.table)' are missing" }
  }

  private func contents(in schema: Schema) throws -> [String] {
    var used: [String: Int] = [:]
    var findings: [String] = []
    let known = try digests()
    for column in try SharedBlobs.allColumns(in: schema) {
      var lost = 0
      let (name, rows) = column.digests
      try session.with("SELECT \(name) FROM \(rows)") { statement in
        while try statement.step() {
          let digest = statement.row.text(at: 0) ?? ""
          used[digest, default: 0] += 1
          if !known.sound.contains(digest) { lost += 1 }
        }
      }
      if lost > 0 {
        findings.append(
          "\(lost == 1 ? "a row" : "\(lost) rows") of table '\(column.table)' lost the shared "
            + "content of column '\(column.column)'")
      }
    }
    if known.isAltered {
      findings.append("a shared content differs from the one that its objects stored")
    }
    let counts = try counts()
    if counts != used || known.sound.contains(where: { used[$0] == nil }) {
      findings.append(
        "the reference counts of shared contents are wrong; reindex the file to fix them")
    }
    return findings
  }

  /// Returns the digests with valid contents, and whether any content does not match its digest.
  ///
  /// No content matches in a file that lost its key.
  private func digests() throws -> (sound: Set<String>, isAltered: Bool) {
    try session.with(SharedBlobs.selectKey) { find in
      guard try find.step() else { return ([], try hasContents()) }
      return try find.row.withBytes(at: 0) { try digests(under: $0) }
    }
  }

  private func digests(
    under key: UnsafeRawBufferPointer
  ) throws -> (sound: Set<String>, isAltered: Bool) {
    try session.with("SELECT \"digest\", \"content\" FROM \(SharedBlobs.contents)") {
      statement in
      var sound: Set<String> = []
      var isAltered = false
      while try statement.step() {
        let row = statement.row
        let digest = row.text(at: 0) ?? ""
        if try row.withBytes(at: 1, { try SharedBlobs.digest(of: $0, under: key) }) == digest {
          sound.insert(digest)
        } else {
          isAltered = true
        }
      }
      return (sound, isAltered)
    }
  }

  private func hasContents() throws -> Bool {
    try session.with("SELECT 1 FROM \(SharedBlobs.contents)") { try $0.step() }
  }

  private func counts() throws -> [String: Int] {
    try session.with("SELECT \"digest\", \"uses\" FROM \(SharedBlobs.uses)") { statement in
      var counts: [String: Int] = [:]
      while try statement.step() {
        let row = statement.row
        counts[row.text(at: 0) ?? ""] = Int(row.integer(at: 1))
      }
      return counts
    }
  }
}
