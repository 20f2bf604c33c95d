package import ObjectVaultDriver
import ObjectVaultModel

/// The columns of a statement's rows.
package final class SQLColumns: Sendable {
  package let names: [String]
  private let positions: [String: Int]

  package init(_ names: [String]) {
    self.names = names
    var positions: [String: Int] = [:]
    for (position, name) in names.enumerated() {
      let key = name.asciiLowercased
      if positions[key] == nil { positions[key] = position }
    }
    self.positions = positions
  }

  package func position(of name: String) -> Int? {
    guard let position = positions[name.asciiLowercased] else { return nil }
    return names[position] == name ? position : names.firstIndex(of: name) ?? position
  }

  package func missing(_ name: String) -> VaultError {
    let known = names.map { "'\($0)'" }.joined(separator: ", ")
    return VaultError(
      .notLoaded,
      "The rows have no column '\(name)', but \(known.isEmpty ? "none at all" : known). Select it, "
        + "or name a column so with AS.")
  }
}
