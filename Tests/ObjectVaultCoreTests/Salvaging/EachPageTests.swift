import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultKeys
import TestSupport
import Testing

/// One page of the sample after the other is damaged: verify names it, and salvage gives back every
/// row that does not stand on it.
///
/// Some twenty pages, other ones in each run, among them one of each kind; with
/// `OBJECTVAULT_EVERY_PAGE` set, all.
@Suite("A file with one bad page")
struct EachPageTests {
  /// The formats that differ on this engine.
  static let formats: [VaultConfiguration.CipherFormat] =
    (try? Engine.prove().newestFormat) == .format4
    ? [.native, .portable] : [.portable]

  /// The table of what a vault says of itself.
  private static let facts = "objectvault_info"
  /// The tables of one page that a choice at random would hardly ever meet.
  private static let small: Set<String> = [facts, "sqlite_sequence"]

  private static let samples: [VaultConfiguration.CipherFormat: SalvageSample] = {
    // Made once; a failure to make it shows in every test.
    var samples: [VaultConfiguration.CipherFormat: SalvageSample] = [:]
    for format in formats {
      samples[format] = try? SalvageSample(format)
    }
    return samples
  }()

  private func sample(_ format: VaultConfiguration.CipherFormat) throws -> SalvageSample {
    try #require(Self.samples[format])
  }

  /// Page 1, those of small tables, and of the others either all or some of each kind.
  private func pages(
    of sample: SalvageSample, _ random: inout SeededGenerator
  ) -> [UInt32] {
    if ProcessInfo.processInfo.environment["OBJECTVAULT_EVERY_PAGE"] != nil {
      return sample.kinds.keys.sorted()
    }
    var chosen = sample.rowsOnPage.filter { _, rows in
      rows.contains { Self.small.contains($0.table) }
    }.keys.sorted()
    for kind in SalvageSample.Kind.allCases {
      var all = sample.kinds.filter { $0.value == kind && !chosen.contains($0.key) }.keys.sorted()
      let count = randomRounds(kind == .tableLeaf || kind == .overflow ? 9 : 6)
      for _ in 0..<count where !all.isEmpty {
        chosen.append(all.remove(at: Int.random(in: all.indices, using: &random)))
      }
    }
    return chosen
  }

  @Test(
    "is of a sample with some 500 pages of every kind",
    arguments: formats)
  func sampleIsWide(format: VaultConfiguration.CipherFormat) throws {
    let sample = try sample(format)
    #expect((400...700).contains(sample.kinds.count), "\(sample.kinds.count)")
    #expect(Set(sample.kinds.values) == Set(SalvageSample.Kind.allCases))
    let folder = try TemporaryFolder()
    let path = folder.file("sound.vault")
    try write(sample.bytes, to: path)
    let report = try DatabaseFile(at: path, key: SalvageSample.key).verify()
    #expect(report.isSound, "\(report)")
    #expect(try contents(of: folder) == ["sound.vault": sample.bytes])
    let salvaged = try DatabaseFile(at: path, key: SalvageSample.key).salvage(
      to: folder.file("new.vault"))
    #expect(salvaged.isWhole, "\(salvaged)")
    #expect(try SalvageSample.rows(folder.file("new.vault")) == sample.rows)
    #expect(try contents(of: folder).keys.sorted() == ["new.vault", "sound.vault"])
  }

  @Test(
    "gives back every row that does not stand on it, and names what is lost",
    arguments: formats)
  func eachPage(format: VaultConfiguration.CipherFormat) throws {
    var random = SeededGenerator(for: "one bad page, \(format)")
    let sample = try sample(format)
    for page in pages(of: sample, &random) {
      // The last bytes of a page are no part of it in every format.
      let offset = Int.random(in: (page == 1 ? 16 : 0)..<sample.pageSize - 48, using: &random)
      try check(page, sample, offset)
    }
  }

  private func check(_ page: UInt32, _ sample: SalvageSample, _ offset: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("damaged.vault")
    try sample.write(damaging: page, at: offset, to: path)
    let kind = try #require(sample.kinds[page])
    let context: Comment = "page \(page), \(kind.rawValue), byte \(offset)"
    let before = try bytes(path)

    let report = try DatabaseFile(at: path, key: SalvageSample.key).verify()
    #expect(report.badPages.map(\.number) == [Int(page)], context)
    #expect(report.badPages.map(\.defect) == [.broken], context)
    #expect(report.badPages.first?.owner == sample.owners[page], context)
    #expect(!report.isSound)

    let new = folder.file("new.vault")
    let salvaged = try DatabaseFile(at: path, key: SalvageSample.key).salvage(to: new)
    #expect(try bytes(path) == before, context)
    #expect(try contents(of: folder).keys.sorted() == ["damaged.vault", "new.vault"], context)
    #expect(salvaged.badPages == report.badPages, context)
    #expect(salvaged.schema == (page == 1 ? .classes : .file), context)
    try compare(salvaged, SalvageSample.rows(new), page, sample, context)
  }

  private func compare(
    _ report: SalvageReport, _ found: [String: [String: String]], _ page: UInt32,
    _ sample: SalvageSample, _ context: Comment
  ) throws {
    var touched: [String: Set<String>] = [:]
    for row in sample.rowsOnPage[page] ?? [] { touched[row.table, default: []].insert(row.id) }
    for (table, rows) in sample.rows {
      let isVaults =
        ["Person", "MarkedObject", "Seat"].contains(table) || table.hasPrefix("object")
      // Without the list of tables, those of other programs have lost their names and keys.
      if page == 1, !isVaults {
        #expect(isAmongLost(rows, in: found, width: table == "word" ? 2 : 3), "\(table)")
        continue
      }
      var back = found[table] ?? [:]
      let touched = touched[table] ?? []
      // What every vault has is made anew, where it did not come back.
      if table == Self.facts { back = back.filter { !touched.contains($0.key) } }
      let missing = rows.filter { !touched.contains($0.key) && back[$0.key] != $0.value }
      #expect(missing.isEmpty, "\(context): \(table) lacks \(missing.keys.sorted().prefix(5))")
      #expect(back.keys.allSatisfy { rows[$0] != nil }, context)
      guard page != 1 else { continue }
      let entry = try #require(report.tables.first { $0.table == table })
      #expect(entry.rowsRecovered == back.count, context)
      #expect(entry.isWhole == touched.isEmpty, context)
      try checkNamed(entry, Set(touched), back, rows, context)
    }
    #expect(report.isWhole == (touched.isEmpty && page != 1), context)
  }

  /// Each row that is lost is within a range, or named; and no range holds a row that is back.
  private func checkNamed(
    _ entry: SalvageReport.Table, _ touched: Set<String>, _ back: [String: String],
    _ rows: [String: String], _ context: Comment
  ) throws {
    let ranges = entry.lost.map { ($0.first ?? .min)...($0.last ?? .max) }
    func isInRange(_ id: String) -> Bool {
      guard let number = Int64(id) else { return !ranges.isEmpty }
      return ranges.contains { $0.contains(number) }
    }
    let damaged = Set(
      (entry.rowsWithLostValues + entry.refusedRows).compactMap { $0.rowID.map { "\($0)" } })
    for id in touched { #expect(isInRange(id) || damaged.contains(id), "\(context): \(id)") }
    for id in back.keys where Int64(id) != nil { #expect(!isInRange(id), "\(context): \(id)") }
    for id in damaged {
      #expect(touched.contains(id), context)
      // What came back of it is not something else.
      if let row = back[id] {
        for (new, old) in zip(
          row.split(separator: "|"), try #require(rows[id]).split(separator: "|"))
        where new != old { #expect(new == "nil", context) }
      }
    }
  }

  /// Whether a table without a name holds the last values of all rows.
  private func isAmongLost(
    _ rows: [String: String], in found: [String: [String: String]], width: Int
  ) -> Bool {
    func ends(_ rows: [String: String]) -> Set<String> {
      Set(rows.values.map { $0.split(separator: "|").suffix(width).joined(separator: "|") })
    }
    return found.contains { $0.key.hasPrefix("lost_") && ends($0.value) == ends(rows) }
  }
}
