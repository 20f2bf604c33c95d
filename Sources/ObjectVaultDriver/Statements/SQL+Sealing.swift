extension SQL {
  /// Returns the index in a column of findable sealed values as an expression.
  ///
  /// The index follows the version and the key number, and has 32 bytes.
  package static func sealedIndex(of column: String) -> String { "substr(\(column), 6, 32)" }
}
