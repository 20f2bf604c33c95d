import ObjectVaultCondition
import ObjectVaultDriver

extension ConditionSQLWriter {
  mutating func search(_ search: TextSearch, negated: Bool) -> String {
    if search.op == .beginsWith, search.options.isEmpty,
      case .shape(let shape) = search.subject, shape.isColumn,
      case .value(.text(let prefix)) = search.pattern
    {
      return beginsWith(shape, prefix, negated: negated)
    }
    let subject = value(of: search.subject)
    let pattern = value(of: search.pattern)
    if search.op == .contains, search.options.isEmpty {
      return "ifnull(instr(\(subject), \(pattern)), 0) \(negated ? "=" : ">") 0"
    }
    let call =
      "\(search.op.functionName)(\(subject), \(pattern), \(search.options.rawValue))"
    return negated ? "NOT \(call)" : call
  }

  /// Returns a prefix search as a range, which can use an index.
  private mutating func beginsWith(
    _ shape: ValueShape, _ prefix: String, negated: Bool
  ) -> String {
    let name = value(shape)
    if prefix.isEmpty { return "\(name) IS \(negated ? "" : "NOT ")NULL" }
    let from = "\(name) \(negated ? "<" : ">=") \(parameter(.text(prefix)))"
    guard let end = prefix.prefixEnd else { return negated ? orNil(shape, from) : from }
    let to = "\(name) \(negated ? ">=" : "<") \(parameter(.text(end)))"
    if !negated { return "(\(from) AND \(to))" }
    return shape.isOptional
      ? "(\(name) IS NULL OR \(from) OR \(to))" : "(\(from) OR \(to))"
  }
}

extension String {
  /// The smallest text that sorts after every text with this prefix, by UTF-8 bytes.
  ///
  /// `nil` if every scalar of the prefix is the last one in Unicode.
  fileprivate var prefixEnd: String? {
    var scalars = unicodeScalars
    while let last = scalars.popLast() {
      // UTF-8 preserves the order of scalars. There are no scalars from D800 to DFFF.
      guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else {
        continue
      }
      scalars.append(next)
      return String(scalars)
    }
    return nil
  }
}
