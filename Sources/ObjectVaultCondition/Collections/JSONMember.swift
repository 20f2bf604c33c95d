/// A part of a property that is stored as JSON.
package struct JSONMember: Sendable, Hashable {
  /// The property.
  package var shape: ValueShape
  /// The names of the members that lead to the part; empty for the whole value.
  package var keys: [String]
}
