import ObjectVaultCore
import ObjectVaultTerminal

extension SizeReport {
  /// Returns the report for people: a line for the file and one for each part.
  func text(of path: String) -> String {
    var text = "\(PrintableText.escaped(path)): \(SizeText.of(bytes))\n"
    let sizes = entries.map { SizeText.of($0.bytes) }
    let width = sizes.map(\.count).max() ?? 0
    for (entry, size) in zip(entries, sizes) {
      let share = bytes > 0 ? Int((100 * Double(entry.bytes) / Double(bytes)).rounded()) : 0
      let percent = "\(share) %"
      text += "  " + String(repeating: " ", count: width - size.count) + size
      text += String(repeating: " ", count: 7 - percent.count) + percent
      text += "  \(PrintableText.escaped(entry.part.description))\n"
    }
    return text
  }

  /// Returns the report for programs.
  func json(of path: String) -> JSONValue {
    .object([
      .init("file", .string(path)), .init("pageSize", .integer(pageSize)),
      .init("bytes", .integer(bytes)),
      .init(
        "parts",
        .array(
          entries.map { entry in
            let (part, owner, name) = entry.part.fields
            return .object([
              .init("part", .string(part)), .init("of", owner.map(JSONValue.string) ?? .null),
              .init("name", name.map(JSONValue.string) ?? .null),
              .init("bytes", .integer(entry.bytes)),
            ])
          })),
    ])
  }
}

extension SizeReport.Part {
  /// The kind of part, its class or table, and the name of an index, for programs.
  fileprivate var fields: (part: String, of: String?, name: String?) {
    switch self {
    case .objects(let owner): ("objects", owner, nil)
    case .index(let name, let owner): ("index", owner, name)
    case .searchIndex(let owner): ("searchIndex", owner, nil)
    case .sharedBlobs: ("sharedBlobs", nil, nil)
    case .catalogue: ("catalogue", nil, nil)
    case .freeSpace: ("freeSpace", nil, nil)
    case .unknown: ("unknown", nil, nil)
    }
  }
}

/// Sizes for people.
enum SizeText {
  /// Returns a number of bytes in the largest unit of at least 1, such as `1.5 MiB`.
  static func of(_ bytes: Int) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"]
    guard bytes >= 1024 else { return "\(bytes) bytes" }
    var value = Double(bytes) / 1024
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    let tenths = (value * 10).rounded() / 10
    return value < 10 ? "\(tenths) \(units[unit])" : "\(Int(value.rounded())) \(units[unit])"
  }
}
