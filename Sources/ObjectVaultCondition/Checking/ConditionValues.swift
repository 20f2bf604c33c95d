/// The values of a condition by slot number; most conditions have one value and need no array.
package enum ConditionValues: Sendable {
  case one(StoredValue)
  case several([StoredValue])

  /// The value of a slot.
  package subscript(slot: Int) -> StoredValue {
    switch self {
    case .one(let value): value
    case .several(let values): values[slot]
    }
  }
}
