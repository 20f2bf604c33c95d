/// A key that identifies the tree of a condition byte for byte.
///
/// The tree's own equality treats canonically equivalent texts as equal, although each text finds
/// different objects. Hashing the tree takes longer than looking it up by this key.
package struct ConditionKey: Sendable, Hashable {
  /// The maximum length, in bytes, of a key that is worth caching.
  private static let maximumCount = 4096

  private var bytes: [UInt8] = []

  /// Creates the key of a tree that may have a ``ConditionShape``, or `nil` for other trees.
  package init?(_ condition: Condition) {
    bytes.reserveCapacity(64)
    guard add(condition), bytes.count <= Self.maximumCount else { return nil }
  }

  package static func == (a: ConditionKey, b: ConditionKey) -> Bool {
    ByteOrder.compare(a.bytes, b.bytes) == 0
  }

  package func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  // Every part begins with its kind and its length, so no two trees have the same bytes.

  private mutating func add(_ condition: Condition) -> Bool {
    guard bytes.count <= Self.maximumCount else { return false }
    switch condition {
    case .constant(let value): bytes.append(value ? 1 : 0)
    case .and(let terms): return add(2, terms)
    case .or(let terms): return add(3, terms)
    case .not(let term):
      bytes.append(4)
      return add(term)
    case .property(let operand):
      bytes.append(5)
      return add(operand)
    case .comparison(let comparison):
      guard comparison.quantifier == nil, add(comparison.left) else { return false }
      switch comparison.test {
      case .compare(let op, let options, let right):
        bytes.append(6)
        bytes.append(options.rawValue)
        add(text: op.rawValue)
        return add(right)
      case .between(.list(let bounds)) where bounds.count == 2:
        bytes.append(7)
        return add(bounds[0]) && add(bounds[1])
      case .between, .text, .among: return false
      }
    case .quantified: return false
    }
    return true
  }

  private mutating func add(_ kind: UInt8, _ terms: [Condition]) -> Bool {
    bytes.append(kind)
    add(count: terms.count)
    for term in terms where !add(term) { return false }
    return true
  }

  private mutating func add(_ operand: Operand) -> Bool {
    switch operand.kind {
    case .path(let path):
      guard path.aggregate == nil, path.names.count == 1 else { return false }
      bytes.append(8)
      add(text: path.names[0])
    case .argument(let position, let specifier):
      bytes.append(9)
      add(count: position)
      add(text: specifier.rawValue)
    case .literal(let literal): add(literal)
    case .namedArgument, .pathArgument, .arithmetic, .cased, .now, .subquery: return false
    }
    return true
  }

  private mutating func add(_ literal: Literal) {
    switch literal {
    case .null: bytes.append(10)
    case .bool(let value): bytes.append(value ? 11 : 12)
    case .integer(let value):
      bytes.append(13)
      add(count: Int(value))
    case .number(let digits):
      bytes.append(14)
      add(text: digits)
    case .text(let text):
      bytes.append(15)
      add(text: text)
    case .data(let data):
      bytes.append(16)
      add(count: data.count)
      bytes += data
    case .interval(let number, let unit):
      bytes.append(17)
      add(text: number)
      add(text: unit.rawValue)
    }
  }

  private mutating func add(text: String) {
    add(count: text.utf8.count)
    bytes += text.utf8
  }

  /// Appends the count in groups of seven bits, the least significant group first.
  private mutating func add(count: Int) {
    var rest = UInt64(bitPattern: Int64(count))
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
