import ObjectVaultTerminal
import ObjectVaultCore

extension MigrationRehearsal {
  /// The report of the rehearsal: the statements that change, then the classes.
  var text: String {
    var lines = schemaAfter.difference(from: schemaBefore).map { change in
      switch change {
      case .insert(_, let statement, _): "+ \(PrintableText.escaped(statement))"
      case .remove(_, let statement, _): "- \(PrintableText.escaped(statement))"
      }
    }
    if lines.isEmpty, refusal == nil { lines = ["The schema needs no change."] }
    lines += contents
    lines.append("Took \(Int(duration / .milliseconds(1))) ms.")
    if let refusal {
      lines.append(
        "The migration would be rejected: \(PrintableText.escapedLines(refusal.message))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A line for each table, and for a table that gets another name.
  private var contents: [String] {
    var former = before
    var lines: [String] = []
    for new in after {
      let present = former.firstIndex { $0.table == new.table }
      let renamed = former.firstIndex { old in
        old.name == new.name && !after.contains { $0.table == old.table }
      }
      let old = (present ?? renamed).map { former.remove(at: $0) }
      lines.append("\(title(new)): \(line(old, new))")
    }
    return (lines + former.map { "\(title($0)): \(line($0, nil))" }).sorted()
  }

  private func title(_ content: Content) -> String {
    let table = content.table == content.name ? "" : ", table '\(content.table)'"
    return PrintableText.escaped(content.name + table)
  }

  private func line(_ old: Content?, _ new: Content?) -> String {
    func rows(_ content: Content) -> String {
      "\(counted(content.rows, "object")), digest \(content.digest.prefix(16))"
    }
    switch (old, new) {
    case (let old?, let new?) where old.rows == new.rows && old.digest == new.digest:
      return "\(rows(new)), unchanged"
    case (let old?, let new?): return "\(rows(old)) before; \(rows(new)) after"
    case (nil, let new?): return "new, \(rows(new))"
    case (let old?, nil): return "\(rows(old)) before"
    case (nil, nil): return ""
    }
  }
}
