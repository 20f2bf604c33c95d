internal import CSQLCipher

/// A value as it is bound to a statement and stored in the file.
///
/// Text is represented as UTF-8, so texts are equal if their bytes are.
@usableFromInline
package enum BoundValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// Whether the value is NULL. This compares no bytes.
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The number of bytes of the value.
  package var byteCount: Int {
    switch self {
    case .null: 0
    case .integer, .real: 8
    case .text(let bytes), .blob(let bytes): bytes.count
    }
  }

  /// Returns the values that `encode` binds to the first `count` positions, with NULL for positions
  /// that it does not bind.
  ///
  /// - Throws: The errors of `encode`.
  package static func values(
    _ count: Int, boundBy encode: (Binder) throws -> Void
  ) rethrows -> [BoundValue] {
    let arena = BindingArena()
    arena.filling.values = Array(repeating: .null, count: count)
    try encode(Binder(statement: nil, arena: arena))
    return arena.filling.values ?? []
  }
}

// Binding without a statement: either only the values are requested, and they are recorded, or the
// connection was closed, which the next step reports.
extension Binder {
  @usableFromInline
  func noteNull(at position: Int) { note(.null, at: position) }

  @usableFromInline
  func note(integer value: Int64, at position: Int) { note(.integer(value), at: position) }

  @usableFromInline
  func note(real value: Double, at position: Int) { note(.real(value), at: position) }

  @usableFromInline
  func note(utf8: UnsafeRawBufferPointer, at position: Int) {
    note(.text([UInt8](utf8)), at: position)
  }

  @usableFromInline
  func note(bytes: UnsafeRawBufferPointer, at position: Int) {
    note(.blob([UInt8](bytes)), at: position)
  }

  private func note(_ value: BoundValue, at position: Int) {
    if !arena.note(value, at: Int(number(position)) - 1) { check(SQLITE_MISUSE) }
  }
}
