import ObjectVaultConformance
import ObjectVaultCore

extension SalvageReport {
  /// How many rows of a table are named to a person.
  private static let mostShown = 20

  /// What a person reads: a line for each table, with what is lost of it, and the verdict.
  ///
  /// - Parameter target: The new file, as the command line names it.
  func text(target: String) -> String {
    let name = PrintableText.escaped(target)
    var text = "\(counted(badPages.count, "bad page")) of \(pageCount)\n"
    for page in badPages {
      text += "! page \(page.number) held \(PrintableText.escaped(page.owner.description))\n"
    }
    switch schema {
    case .file: break
    case .classes:
      text += "! the list of tables is lost; classes come from their descriptions in the file\n"
    case .none: text += "! the list of tables is lost; all rows are in tables without names\n"
    }
    for table in tables where !table.table.hasPrefix("objectvault_") || !table.isWhole {
      text += table.text(Self.mostShown)
    }
    for line in notRestored { text += "! not made again: \(PrintableText.escaped(line))\n" }
    for table in brokenReferences {
      text += "! '\(PrintableText.escaped(table))' now refers to objects that are lost\n"
    }
    return text
      + (isWhole ? "\(name): all came back.\n" : "\(name): what could be read came back.\n")
  }
}

extension SalvageReport.Table {
  fileprivate func text(_ mostShown: Int) -> String {
    let unit = rowIDsAreObjectIDs ? "objectID" : "rowid"
    var text = "\(isWhole ? " " : "!") \(PrintableText.escaped(name)): "
    text += "\(counted(rowsRecovered, "row")) came back\n"
    for rows in lost { text += "    lost with page \(rows.page): \(rows.range(unit))\n" }
    for row in rowsWithLostValues.prefix(mostShown) {
      text += "    \(row.name(unit)) came back without \(row.columnNames)\n"
    }
    text += Self.rest(rowsWithLostValuesCount, mostShown, "came back without some of their values")
    for row in refusedRows.prefix(mostShown) {
      let why = row.columns.isEmpty ? "" : ", for it has lost \(row.columnNames)"
      text += "    \(row.name(unit)) is refused by the table\(why)\n"
    }
    text += Self.rest(refusedRowsCount, mostShown, "are refused by the table")
    return text
  }

  private static func rest(_ count: Int, _ shown: Int, _ what: String) -> String {
    count > shown ? "    and \(count - shown) more \(what)\n" : ""
  }
}

extension SalvageReport.LostRows {
  fileprivate func range(_ unit: String) -> String {
    switch (first, last) {
    case (nil, nil): "rows that cannot be told"
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
