/// The values of a condition by the numbers of their slots: mostly one, which needs no list.
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
