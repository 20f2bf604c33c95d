/// Objects by numbers that are near one another, as generated ones are: they stand in a row and are
/// found without a hash.
@usableFromInline
struct NearNumbers<T> {
  /// The number of the first place.
  @usableFromInline var first: Int64 = 0
  @usableFromInline var row: ContiguousArray<T?> = []
  private var count = 0

  init() {}

  /// The object of a number.
  @inlinable
  subscript(number: Int64) -> T? {
    // A number before the first one is a very large place.
    let place = UInt64(bitPattern: number &- first)
    guard place < UInt64(row.count) else { return nil }
    return row[Int(place)]
  }

  /// Keeps the object of a number that has none here.
  ///
  /// - Returns: Whether the number is near enough: the places without objects are hardly more than those
  ///   with one.
  mutating func keep(_ object: T, _ number: Int64) -> Bool {
    if row.isEmpty { first = number }
    let place = number &- first
    guard (0...Int64(2 * count + 16)).contains(place) else { return false }
    while row.count <= Int(place) { row.append(nil) }
    row[Int(place)] = object
    count += 1
    return true
  }
}
