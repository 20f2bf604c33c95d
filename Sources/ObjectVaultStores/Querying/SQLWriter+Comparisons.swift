import ObjectVaultCondition
import ObjectVaultDriver

extension SQLWriter {
  mutating func compare(
    _ shape: ValueShape, _ op: ComparisonOperator, _ term: ResolvedTerm,
    _ options: TextOptions, negated: Bool
  ) throws(VaultError) -> String {
    switch term {
    case .shape(let other):
      return try compare(shape, op, other, options, negated: negated)
    case .value(let constant):
      let left =
        options.isEmpty ? try compared(shape) : SQLOperand(try folded(shape, options), .string)
      let asked = negated ? op.negated : op
      let right = try constantOperand(constant, comparedWith: shape)
      let comparison = dialect.comparison(left, asked, right)
      // A nil value differs from every value and has no order, so negated order comparisons match
      // it.
      return asked == .notEqual || (negated && op.isOrdered)
        ? try orNil(shape, comparison) : comparison
    }
  }

  private mutating func compare(
    _ a: ValueShape, _ op: ComparisonOperator, _ b: ValueShape, _ options: TextOptions,
    negated: Bool
  ) throws(VaultError) -> String {
    let isDigest = a.isComparedByDigest || b.isComparedByDigest
    let left = try side(a, options, isDigest)
    let right = try side(b, options, isDigest)
    switch negated ? op.negated : op {
    case .equal where a.isOptional && b.isOptional:
      return dialect.equality(left, right, negated: false)
    case .notEqual where a.isOptional || b.isOptional:
      return dialect.equality(left, right, negated: true)
    case let asked:
      let comparison = dialect.comparison(left, asked, right)
      let optional = [a, b].filter(\.isOptional)
      guard negated, op.isOrdered, !optional.isEmpty else { return comparison }
      guard optional.allSatisfy(\.isColumn) else { return dialect.orUnknown(comparison) }
      var terms: [String] = []
      for shape in optional { terms.append("\(try value(shape)) IS NULL") }
      return "(\((terms + [comparison]).joined(separator: " OR ")))"
    }
  }

  private mutating func side(
    _ shape: ValueShape, _ options: TextOptions, _ isDigest: Bool
  ) throws(VaultError) -> SQLOperand {
    if isDigest {
      let stored = try value(shape, isStored: shape.isComparedByDigest)
      return SQLOperand(try dialect.compared(stored, isShared: !shape.isComparedByDigest), nil)
    }
    if !options.isEmpty {
      return SQLOperand(try folded(shape, options), .string)
    }
    return SQLOperand(try value(shape), shape.type)
  }

  private mutating func folded(
    _ shape: ValueShape, _ options: TextOptions
  ) throws(VaultError) -> String {
    try dialect.required(dialect.folded(value(shape), options), .foldedText)
  }

  /// Returns a value for comparison with constants: shared contents as digests, and findable values
  /// as their indexes.
  mutating func compared(_ shape: ValueShape) throws(VaultError) -> SQLOperand {
    if shape.sealed != nil { return SQLOperand(SQL.sealedIndex(of: try value(shape)), nil) }
    return shape.isComparedByDigest
      ? SQLOperand(try value(shape, isStored: true), nil)
      : SQLOperand(try value(shape), shape.type)
  }

  private mutating func constantOperand(
    _ constant: StoredValue, comparedWith shape: ValueShape
  ) throws(VaultError) -> SQLOperand {
    if shape.sealed != nil {
      return SQLOperand(try parameter(searched([constant], in: shape)[0]), nil)
    }
    let parameter = try parameter(constant)
    if shape.isComparedByDigest {
      return SQLOperand(try dialect.compared(parameter, isShared: true), nil)
    }
    switch constant {
    case .integer where shape.type == .double: return SQLOperand(parameter, .int64)
    case .real where shape.type != .decimal: return SQLOperand(parameter, .double)
    default: return SQLOperand(parameter, nil)
    }
  }

  // MARK: Text

  mutating func search(_ search: TextSearch, negated: Bool) throws(VaultError) -> String {
    if search.op == .beginsWith, search.options.isEmpty,
      case .shape(let shape) = search.subject, shape.isColumn,
      case .value(.text(let prefix)) = search.pattern
    {
      return try beginsWith(shape, prefix, negated: negated)
    }
    let subject = try value(of: search.subject)
    let pattern = try value(of: search.pattern)
    let capability: Capability =
      search.op == .matches
      ? .regularExpressions : search.options.isEmpty ? .textSearch : .foldedText
    return try dialect.required(
      dialect.search(search.op, subject, pattern, search.options, negated: negated), capability)
  }

  /// Returns a prefix search as a range, which can use an index.
  private mutating func beginsWith(
    _ shape: ValueShape, _ prefix: String, negated: Bool
  ) throws(VaultError) -> String {
    let name = try value(shape)
    if prefix.isEmpty { return "\(name) IS \(negated ? "" : "NOT ")NULL" }
    let from = "\(name) \(negated ? "<" : ">=") \(try parameter(.text(prefix)))"
    guard let end = prefix.prefixEnd else { return negated ? try orNil(shape, from) : from }
    let to = "\(name) \(negated ? ">=" : "<") \(try parameter(.text(end)))"
    if !negated { return "(\(from) AND \(to))" }
    return shape.isOptional
      ? "(\(name) IS NULL OR \(from) OR \(to))" : "(\(from) OR \(to))"
  }
}

extension ComparisonOperator {
  /// The operator that is true exactly if this operator is false for two values.
  fileprivate var negated: ComparisonOperator {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    }
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
