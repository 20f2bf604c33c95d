package import ObjectVaultCondition

extension StoredJSON {
  /// Returns the value at the end of a path of members, or `nil` if one is missing.
  package static func member(
    _ keys: [String], of json: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    var value = json
    for var key in keys {
      guard let next = key.withUTF8({ member(UnsafeRawBufferPointer($0), of: value) }) else {
        return nil
      }
      value = next
    }
    return value
  }
}

extension ExactSum {
  /// Adds a value; a value that is not a number adds nothing.
  package mutating func add(_ value: StoredValue) {
    switch value {
    case .integer(let value): add(value)
    case .real(let value): add(value)
    case .text(var text): text.withUTF8 { add(decimal: UnsafeRawBufferPointer($0)) }
    case .null, .blob: break
    }
  }
}

extension SortKey {
  /// Returns a negative number, 0 or a positive number if `a` comes before, with or after `b`.
  ///
  /// Nil comes first if ascending and last if descending, unless the key specifies its position.
  package func compare(_ a: StoredValue, _ b: StoredValue, folding: TextFolding) -> Int {
    if let isNilFirst, a.isNull != b.isNull { return a.isNull == isNilFirst ? -1 : 1 }
    let order =
      switch (a, b) {
      case (.text(let a), .text(let b)) where !options.isEmpty:
        ByteOrder.compare(folding.fold(a, options), folding.fold(b, options))
      default: StoredValue.compare(a, b, as: value.type)
      }
    return isAscending ? order : -order
  }
}
