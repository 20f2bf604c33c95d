import ObjectVaultCondition
import ObjectVaultDriver

/// A builder that collects the arguments of a condition while its parts are combined in text order.
struct ConditionDraft {
  private var arguments: [ConditionArgument] = []
  private var named: [String: ConditionArgument] = [:]
  private var failure: VaultError?
  /// The text of the condition, if it consists of one condition from text.
  private var text: String?
  private var parts = 0

  /// Adds a condition and returns its tree with shifted argument positions.
  mutating func add(_ condition: ObjectCondition) -> Condition {
    defer { arguments += condition.arguments }
    parts += 1
    text = parts == 1 ? condition.text : nil
    note(condition.failure)
    for (name, argument) in condition.named { add(argument, named: name) }
    return arguments.isEmpty
      ? condition.tree : condition.tree.shiftingArguments(by: arguments.count)
  }

  /// Adds an expression and returns its operand with shifted argument positions.
  mutating func add(_ operand: ConditionOperand) -> Operand {
    defer { arguments += operand.arguments }
    parts += 1
    note(operand.failure)
    for (name, argument) in operand.named { add(argument, named: name) }
    return arguments.isEmpty
      ? operand.operand : operand.operand.shiftingArguments(by: arguments.count)
  }

  func condition(
    _ tree: Condition, size: ObjectCondition.Size = ObjectCondition.Size()
  ) -> ObjectCondition {
    ObjectCondition(
      tree, arguments: arguments, named: named, failure: failure, text: text, size: size)
  }

  func operand(_ operand: Operand, depth: Int) -> ConditionOperand {
    ConditionOperand(
      operand, arguments: arguments, named: named, failure: failure, depth: depth)
  }

  /// Adds a named argument, which all parts share.
  private mutating func add(_ argument: ConditionArgument, named name: String) {
    guard let earlier = named.updateValue(argument, forKey: name),
      !earlier.isSame(as: argument)
    else { return }
    note(
      VaultError(
        .invalidArgument,
        "Two combined conditions have different arguments named '\(name)'. Give the arguments "
          + "different names."))
  }

  private mutating func note(_ failure: VaultError?) {
    if self.failure == nil { self.failure = failure }
  }
}

extension ConditionArgument {
  /// Creates the argument for a Swift value in a condition that can outlive the current call.
  ///
  /// The JSON of composite values is computed immediately.
  init(kept value: Any?) throws {
    let argument = try ConditionArgument(value)
    guard case .composite(let members, let json) = argument else {
      self = argument
      return
    }
    let text = Result { try json() }
    self = .composite(members: members) { try text.get() }
  }

  /// Returns whether both arguments have the same value.
  func isSame(as other: ConditionArgument) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.value(let a, let type), .value(let b, let otherType)):
      return a == b && type == otherType
    case (.composite(let a, let json), .composite(let b, let otherJSON)):
      let members = (a ?? []).elementsEqual(b ?? []) { $0.isSame(as: $1) }
      return members && (try? json()) == (try? otherJSON())
    case (.given(let a), .given(let b)):
      switch (a.standard, b.standard) {
      case (.success(let first), .success(let second)): return first.isSame(as: second)
      case (.failure, .failure):
        guard let first = a.value as? AnyHashable else { return a === b }
        return first == b.value as? AnyHashable
      default: return false
      }
    default: return false
    }
  }
}
