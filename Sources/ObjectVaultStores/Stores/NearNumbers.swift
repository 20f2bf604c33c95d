/// Objects keyed by nearby numbers, such as generated ones, in an array without hashing.
@usableFromInline
struct NearNumbers<T> {
  /// The number of the first array element.
  @usableFromInline var first: Int64 = 0
  @usableFromInline var row: ContiguousArray<T?> = []
  private var count = 0

  init() {}

  /// Returns the object of a number.
  @inlinable
  subscript(number: Int64) -> T? {
    // A number before the first one wraps to a very large position.
    let place = UInt64(bitPattern: number &- first)
    guard place < UInt64(row.count) else { return nil }
    return row[Int(place)]
  }

  /// Stores the object of a number that has none here.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - number: Its number.
  /// - Returns: Whether the number is near enough: empty positions must hardly outnumber used ones.
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
