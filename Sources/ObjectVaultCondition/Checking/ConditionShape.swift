/// The resolved form of all conditions of one syntax tree that differ only in argument values.
///
/// A condition with a cached shape is not checked again: its names are already resolved, and the
/// property of each argument is known. Only comparisons of an object's own properties have shapes.
package final class ConditionShape: Sendable {
  /// The source of a value of the condition.
  enum Slot: Sendable {
    /// The argument at a position, in the form that a property of the type stores.
    ///
    /// It is folded if the comparison has options.
    case argument(Int, ArgumentSpecifier, PropertyType, TextOptions)
    /// A value that is the same for all conditions of the shape.
    case fixed(StoredValue)

    /// Whether the value is a double: its SQL differs from that of an integer.
    var isReal: Bool {
      switch self {
      case .argument(_, _, let type, _): type.columnType == "REAL"
      case .fixed(.real): true
      case .fixed: false
      }
    }
  }

  /// The condition with the number of a slot in the position of each value: a double for a double,
  /// and an integer for every other value.
  package let template: ResolvedCondition
  private let slots: [Slot]
  private let argumentCount: Int
  private let folding: TextFolding

  /// Creates the shape of a checked condition.
  ///
  /// The result is `nil` if argument values determine more than the operand of a comparison.
  package init?(
    of condition: Condition, resolved: ResolvedCondition, by checker: ConditionChecker
  ) {
    var draft = ConditionShapeDraft()
    guard let template = draft.template(condition, resolved) else { return nil }
    let used = draft.slots.compactMap { slot -> Int? in
      guard case .argument(let position, _, _, _) = slot else { return nil }
      return position
    }
    // An argument that is not one of the values would never be checked.
    guard Set(used).count == condition.argumentCount else { return nil }
    self.template = template
    slots = draft.slots
    argumentCount = condition.argumentCount
    folding = checker.folding
  }

  /// The number of values of each condition.
  package var valueCount: Int { slots.count }

  /// Returns the values for a list of arguments, indexed by slot number.
  ///
  /// - Parameters:
  ///   - count: The number of arguments.
  ///   - argument: A closure that returns the argument at a position. It is called at least once
  ///     for each position.
  /// - Returns: The values, or `nil` if the condition has another shape or is invalid. Check the
  ///   condition to find out.
  package func values(
    count: Int, _ argument: (Int) throws -> ConditionArgument
  ) rethrows -> ConditionValues? {
    guard count == argumentCount else { return nil }
    if slots.count == 1 { return try value(of: slots[0], argument).map(ConditionValues.one) }
    var values: [StoredValue] = []
    values.reserveCapacity(slots.count)
    for slot in slots {
      guard let value = try value(of: slot, argument) else { return nil }
      values.append(value)
    }
    return .several(values)
  }

  private func value(
    of slot: Slot, _ argument: (Int) throws -> ConditionArgument
  ) rethrows -> StoredValue? {
    switch slot {
    case .fixed(let value): return value
    case .argument(let position, let specifier, let type, let options):
      let argument = try argument(position)
      if let value = argument.value(keptAs: type), specifier.isUntyped, options.isEmpty {
        return value
      }
      guard let constant = Constant(argument), specifier.accepts(constant),
        let value = constant.value(storedAs: type)
      else { return nil }
      guard case .text(let text) = value, !options.isEmpty else { return value }
      return .text(folding.fold(text, options))
    }
  }

  /// Returns the condition of this shape with the given values.
  package func condition(_ values: ConditionValues) -> ResolvedCondition {
    func filled(_ condition: ResolvedCondition) -> ResolvedCondition {
      switch condition {
      case .and(let terms): .and(terms.map(filled))
      case .or(let terms): .or(terms.map(filled))
      case .not(let term): .not(filled(term))
      case .compare(let shape, let op, .value(let value), let options):
        .compare(
          shape, op, .value(ConditionShape.slot(of: value).map { values[$0] } ?? value), options)
      case .constant, .isNil, .compare, .text, .quantified, .elements, .among: condition
      }
    }
    return filled(template)
  }

  /// Returns the number of the slot that a value of a template represents.
  package static func slot(of value: StoredValue) -> Int? {
    switch value {
    case .integer(let slot): Int(exactly: slot)
    case .real(let slot): Int(exactly: slot)
    case .null, .text, .blob: nil
    }
  }
}

extension ConditionArgument {
  /// Returns the value if a property of `type` stores it unchanged; a fast path for common types.
  fileprivate func value(keptAs type: PropertyType) -> StoredValue? {
    guard case .value(let value, let given) = self else { return nil }
    switch (value, given, type) {
    case (.text, .string, .string), (.integer, .int, .int), (.integer, .int64, .int64):
      return value
    default: return nil
    }
  }
}

extension Constant {
  /// Returns the constant as a property of `type` stores it, or `nil` if it is not such a value.
  fileprivate func value(storedAs type: PropertyType) -> StoredValue? {
    guard case .value(let value)? = try? converted(to: type) else { return nil }
    return value
  }
}

/// A shape under construction, from parallel traversal of a condition and its resolved form.
struct ConditionShapeDraft {
  private(set) var slots: [ConditionShape.Slot] = []

  /// Returns the condition with its slots, or `nil` if it has no shape.
  mutating func template(
    _ condition: Condition, _ resolved: ResolvedCondition
  ) -> ResolvedCondition? {
    switch (condition, resolved) {
    case (.constant, .constant): return resolved
    case (.and(let terms), .and(let others)):
      return templates(terms, others).map(ResolvedCondition.and)
    case (.or(let terms), .or(let others)):
      return templates(terms, others).map(ResolvedCondition.or)
    case (.not(let term), .not(let other)): return template(term, other).map(ResolvedCondition.not)
    case (.property(let operand), _):
      guard case .path = operand.kind else { return nil }
      return comparison(resolved, with: Operand(.literal(.bool(true))), by: .equal)
    case (.comparison(let comparison), _) where comparison.quantifier == nil:
      return template(comparison.left, comparison.test, resolved)
    default: return nil
    }
  }

  private mutating func templates(
    _ terms: [Condition], _ others: [ResolvedCondition]
  ) -> [ResolvedCondition]? {
    guard terms.count == others.count else { return nil }
    var templates: [ResolvedCondition] = []
    for (term, other) in zip(terms, others) {
      guard let template = template(term, other) else { return nil }
      templates.append(template)
    }
    return templates
  }

  private mutating func template(
    _ left: Operand, _ test: Comparison.Test, _ resolved: ResolvedCondition
  ) -> ResolvedCondition? {
    switch (test, resolved) {
    case (.compare(let op, _, let right), _):
      switch (left.kind, right.kind) {
      case (.path, .literal), (.path, .argument): return comparison(resolved, with: right, by: op)
      case (.literal, .path), (.argument, .path):
        return comparison(resolved, with: left, by: op.mirrored)
      case (.path, .path):
        guard case .compare(let shape, _, .shape(let other), _) = resolved, shape.isColumn,
          other.isColumn
        else { return nil }
        return resolved
      default: return nil
      }
    case (.between(.list(let bounds)), .and(let both)) where bounds.count == 2 && both.count == 2:
      guard
        let lowest = template(left, .compare(.greaterOrEqual, [], bounds[0]), both[0]),
        let highest = template(left, .compare(.lessOrEqual, [], bounds[1]), both[1])
      else { return nil }
      return .and([lowest, highest])
    default: return nil
    }
  }

  /// Returns the comparison of a property with the value of an operand.
  private mutating func comparison(
    _ resolved: ResolvedCondition, with operand: Operand, by op: ComparisonOperator
  ) -> ResolvedCondition? {
    switch (operand.kind, resolved) {
    case (.literal(.null), .isNil(let shape)), (.literal(.null), .not(.isNil(let shape))):
      return shape.isColumn ? resolved : nil
    case (.literal, .compare(let shape, let found, .value(let value), let options))
    where shape.isColumn:
      return .compare(shape, found, slot(.fixed(value)), options)
    case (
      .argument(let position, let specifier),
      .compare(let shape, op, .value, let options)
    ) where shape.isColumn:
      return .compare(
        shape, op, slot(.argument(position, specifier, shape.type, options)), options)
    default: return nil
    }
  }

  private mutating func slot(_ slot: ConditionShape.Slot) -> ResolvedTerm {
    let number = slots.count
    slots.append(slot)
    return .value(slot.isReal ? .real(Double(number)) : .integer(Int64(number)))
  }
}
