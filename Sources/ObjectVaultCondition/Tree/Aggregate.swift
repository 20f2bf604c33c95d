/// A function on the objects of a path across a to-many association.
package enum Aggregate: String, Sendable, Hashable, CaseIterable {
  /// The number of objects.
  case count = "@count"
  /// The least value other than nil; nil without values.
  case min = "@min"
  /// The greatest value other than nil; nil without values.
  case max = "@max"
  /// The mean of the values other than nil; nil without values.
  case avg = "@avg"
  /// The sum of the values other than nil; 0 without values.
  case sum = "@sum"
}
