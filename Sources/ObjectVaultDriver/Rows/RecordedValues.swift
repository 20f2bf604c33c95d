/// The values that a binder without a statement records, by position.
package final class RecordedValues {
  private let arena = BindingArena()
  private let count: Int

  /// Creates a record.
  ///
  /// - Parameter count: The number of positions.
  package init(count: Int) { self.count = count }

  /// A binder that replaces the recorded values, all of which are NULL first.
  package var binder: Binder {
    arena.reset()
    arena.filling.values = Array(repeating: .null, count: count)
    return Binder(statement: nil, arena: arena)
  }

  /// The recorded values.
  package var values: [BoundValue] { arena.filling.values ?? [] }
}

extension BoundValue {
  /// Binds the value to a parameter.
  package func bind(to binder: Binder, at position: Int) {
    switch self {
    case .null: binder.bindNull(at: position)
    case .integer(let value): binder.bind(integer: value, at: position)
    case .real(let value): binder.bind(real: value, at: position)
    case .text(let utf8): utf8.withUnsafeBytes { binder.bind(utf8: $0, at: position) }
    case .blob(let bytes): bytes.withUnsafeBytes { binder.bind(bytes: $0, at: position) }
    }
  }
}
