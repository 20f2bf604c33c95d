package import ObjectVaultDriver
import ObjectVaultModel

/// The columns of a statement's rows.
package final class SQLColumns: Sendable {
  package let names: [String]
  /// The first position of each name, by its bytes.
  private let positions: [[UInt8]: Int]

  package init(_ names: [String]) {
    self.names = names
    var positions: [[UInt8]: Int] = [:]
    for (position, name) in names.enumerated() {
      let key = name.asciiLowercasedUTF8
      if positions[key] == nil { positions[key] = position }
    }
    self.positions = positions
  }

  package func position(of name: String) -> Int? {
    guard let position = positions[name.asciiLowercasedUTF8] else { return nil }
    if names[position].hasSameBytes(as: name) { return position }
    return names.firstIndex { $0.hasSameBytes(as: name) } ?? position
  }

  /// Returns whether the names are the same, in the same order.
  package func hasSameNames(as other: SQLColumns) -> Bool {
    names.elementsEqual(other.names) { $0.hasSameBytes(as: $1) }
  }

  package func missing(_ name: String) -> VaultError {
    let known = names.map { "'\($0)'" }.joined(separator: ", ")
    return VaultError(
      .notLoaded,
      "The rows have no column '\(name)', but \(known.isEmpty ? "none at all" : known). Select it, "
        + "or name a column so with AS.")
  }
}
