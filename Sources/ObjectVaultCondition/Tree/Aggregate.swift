/// What a path across a to-many association makes of the objects there.
package enum Aggregate: String, Sendable, Hashable, CaseIterable {
  /// How many there are.
  case count = "@count"
  /// The least value other than nil; nil of none.
  case min = "@min"
  /// The greatest value other than nil; nil of none.
  case max = "@max"
  /// The mean of the values other than nil; nil of none.
  case avg = "@avg"
  /// The sum of the values other than nil; 0 of none.
  case sum = "@sum"
}
