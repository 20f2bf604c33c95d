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
    for name in Set((before + after).map(\.name)).sorted() {
      lines.append("\(PrintableText.escaped(name)): \(line(of: name))")
    }
    lines.append("Took \(Int(duration / .milliseconds(1))) ms.")
    if let refusal {
      lines.append(
        "The migration would be rejected: \(PrintableText.escapedLines(refusal.message))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(of name: String) -> String {
    let (old, new) = (before.first { $0.name == name }, after.first { $0.name == name })
    func rows(_ content: Content) -> String {
      "\(counted(content.rows, "object")), digest \(content.digest.prefix(16))"
    }
    switch (old, new) {
    case (let old?, let new?) where old == new: return "\(rows(new)), unchanged"
    case (let old?, let new?): return "\(rows(old)) before; \(rows(new)) after"
    case (nil, let new?): return "new, \(rows(new))"
    case (let old?, nil): return "\(rows(old)) before"
    case (nil, nil): return ""
    }
  }
}
