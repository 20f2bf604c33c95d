import ObjectVaultTerminal
import ObjectVaultCore

extension SalvageReport {
  /// The maximum number of rows of a table that the text names.
  private static let mostShown = 20

  /// Returns the report for people: a line for each table with its losses, and the verdict.
  ///
  /// `target` is the new file, as given on the command line.
  func text(target: String) -> String {
    let name = PrintableText.escaped(target)
    var text = "\(counted(badPages.count, "bad page")) of \(pageCount)\n"
    for pages in PageGroup.grouped(badPages, areAlike: { $0.owner == $1.owner }) {
      let owner = pages.first.owner.description
      text += "! \(pages.title) held \(PrintableText.escaped(owner))\n"
    }
    switch schema {
    case .file: break
    case .classes:
      text += "! the list of tables is lost; classes come from their descriptions in the file\n"
      text += "  check the classes that ObjectVault 0.2.0 or earlier added properties to: their "
      text += "values may be in other properties\n"
    case .none:
      text += "! the list of tables is lost; all rows are in tables lost_1, lost_2 and so on\n"
    }
    for table in tables where !table.table.hasPrefix("objectvault_") || !table.isWhole {
      text += table.text(Self.mostShown)
    }
    for line in notRestored { text += "! not restored: \(PrintableText.escaped(line))\n" }
    for table in brokenReferences {
      text += "! '\(PrintableText.escaped(table))' now refers to objects that are lost\n"
    }
    return text
      + (isWhole ? "\(name): everything was recovered.\n" : "\(name): recovered in part.\n")
  }
}

extension SalvageReport.Table {
  fileprivate func text(_ mostShown: Int) -> String {
    let unit = rowIDsAreObjectIDs ? "objectID" : "rowid"
    var text = "\(isWhole ? " " : "!") \(PrintableText.escaped(name)): "
    text += "\(counted(rowsRecovered, "row")) recovered\n"
    for rows in FoldedRows.folded(lost) {
      text += "    lost with \(rows.title): \(rows.rows.range(unit))\n"
    }
    for row in rowsWithLostValues.prefix(mostShown) {
      text += "    \(row.name(unit)) recovered without \(row.columnNames)\n"
    }
    text += Self.rest(rowsWithLostValuesCount, mostShown, "recovered without some of their values")
    for row in refusedRows.prefix(mostShown) {
      let why = row.columns.isEmpty ? "" : " because \(row.columnNames) is lost"
      text += "    \(row.name(unit)) rejected by the table\(why)\n"
    }
    text += Self.rest(refusedRowsCount, mostShown, "rejected by the table")
    if let refusedRowsTable { text += "    the rejected rows are in table \(refusedRowsTable)\n" }
    return text
  }

  private static func rest(_ count: Int, _ shown: Int, _ what: String) -> String {
    count > shown ? "    and \(count - shown) more \(what)\n" : ""
  }
}

/// Lost rows that are consecutive or equally unknown.
private struct FoldedRows {
  var rows: SalvageReport.LostRows
  var pages: [Int]

  var title: String { "\(pages.count == 1 ? "page" : "pages") \(pages.foldedText)" }

  static func folded(_ lost: [SalvageReport.LostRows]) -> [FoldedRows] {
    var folded: [FoldedRows] = []
    for rows in lost {
      guard let before = folded.last?.rows, before.isFollowed(by: rows) else {
        folded.append(FoldedRows(rows: rows, pages: [rows.page]))
        continue
      }
      folded[folded.count - 1].rows.last = rows.last
      folded[folded.count - 1].pages.append(rows.page)
    }
    return folded
  }
}

extension SalvageReport.LostRows {
  fileprivate func isFollowed(by next: SalvageReport.LostRows) -> Bool {
    if first == next.first, last == next.last { return true }
    guard let last, last < .max, let start = next.first else { return false }
    return last + 1 == start
  }

  fileprivate func range(_ unit: String) -> String {
    switch (first, last) {
    case (nil, nil): "unknown rows"
    case (let first?, nil): "every \(unit) from \(first) on"
    case (nil, let last?): "every \(unit) up to \(last)"
    case (let first?, let last?):
      first == last ? "\(unit) \(first)" : "\(unit) \(first) to \(last)"
    }
  }
}

extension SalvageReport.DamagedRow {
  fileprivate func name(_ unit: String) -> String { rowID.map { "\(unit) \($0)" } ?? "a row" }

  fileprivate var columnNames: String {
    columns.map { "'\(PrintableText.escaped($0))'" }.joined(separator: ", ")
  }
}
