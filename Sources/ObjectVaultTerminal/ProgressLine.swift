/// The progress of long work at one moment.
package struct ProgressLine: Sendable {
  /// The name of the work, which can contain the name of a class.
  package var phase: String
  package var done: Int64
  /// The total amount; `nil` if unknown.
  package var total: Int64?
  /// The current file, if there are several.
  package var file: String?
  /// Additional text for people.
  package var detail = ""
  /// The text before the phase, for people.
  package var prefix = ""

  package init(
    phase: String, done: Int64, total: Int64?, file: String? = nil, detail: String = "",
    prefix: String = ""
  ) {
    self.phase = phase
    self.done = done
    self.total = total
    self.file = file
    self.detail = detail
    self.prefix = prefix
  }

  /// Returns one line for several files that are processed concurrently.
  ///
  /// For example: `3/8 a.db copying 45 %, b.db verifying 12 % ...`.
  package static func together(_ lines: [ProgressLine], prefix: String) -> ProgressLine {
    let parts = lines.map { line in
      let name = PrintableText.escaped(line.file?.split(separator: "/").last.map(String.init) ?? "")
      let share = line.total.map { " \($0 > 0 ? line.done * 100 / $0 : 0) %" } ?? ""
      return "\(name) \(line.phase)\(share)"
    }
    return ProgressLine(
      phase: parts.joined(separator: ", "), done: 0, total: nil, detail: "...", prefix: prefix)
  }

  /// The progress as a JSON object.
  package var json: String {
    let subject = file.map { ",\"file\":\(Self.quoted($0))" } ?? ""
    return
      "{\"phase\":\(Self.quoted(phase)),\"done\":\(done),\"total\":\(total.map { String($0) } ?? "null")"
      + "\(subject)}"
  }

  /// Returns a progress bar that fits in a line of the terminal.
  package func bar(columns: Int) -> String {
    let phase = PrintableText.escaped(phase)
    let text: String
    if let total, total > 0 {
      let fraction = min(1, Double(done) / Double(total))
      let head = "\(prefix)\(phase) ["
      let tail = "] \(Int(fraction * 100)) %" + (detail.isEmpty ? "" : " \(detail)")
      let width = min(30, max(10, columns - 1 - head.count - tail.count))
      let filled = Int(fraction * Double(width))
      text =
        head + String(repeating: "#", count: filled)
        + String(repeating: ".", count: width - filled) + tail
    } else {
      text = prefix + phase + (detail.isEmpty ? " \(done)" : " \(detail)")
    }
    // A wrapped line could not be erased.
    return String(text.prefix(max(1, columns - 1)))
  }

  /// Returns a text as a JSON string.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
