import ObjectVaultCondition

/// A list that conditions can search: Array, Set and optionals.
public protocol ListValue {
  /// The type of the elements.
  associatedtype ListElement
}

/// A dictionary whose values conditions can compare: one with keys of type String, and optionals.
public protocol DictionaryValue {
  /// The type of the values.
  associatedtype MemberValue
}

extension Array: ListValue {
  /// The type of the elements.
  public typealias ListElement = Element
}

extension Set: ListValue {
  /// The type of the elements.
  public typealias ListElement = Element
}

extension Optional: ListValue where Wrapped: ListValue {
  /// The type of the elements.
  public typealias ListElement = Wrapped.ListElement
}

extension Dictionary: DictionaryValue where Key == String {
  /// The type of the values.
  public typealias MemberValue = Value
}

extension Optional: DictionaryValue where Wrapped: DictionaryValue {
  /// The type of the values.
  public typealias MemberValue = Wrapped.MemberValue
}

extension ValueExpression where Value: ListValue {
  /// Returns a condition that the list contains a text, a number, a Bool or a Date.
  public func contains(_ element: Value.ListElement) -> ObjectCondition {
    operand.search(.contains, [], value: element)
  }

  /// The number of elements of the list; nil for nil.
  public var count: Computed<Int?> { Computed(operand.elementCount) }
}

extension ValueExpression where Value: DictionaryValue {
  /// Returns the value of a key; nil if it is missing.
  ///
  /// It can be compared if it is a text, a number, a Bool or a Date.
  public subscript(key: String) -> Computed<Value.MemberValue?> { Computed(operand.member(key)) }

  /// The number of entries of the dictionary; nil for nil.
  public var count: Computed<Int?> { Computed(operand.elementCount) }
}

extension ValueExpression {
  /// Returns a member of a structure that is stored as JSON; nil if it is missing.
  ///
  /// ```swift
  /// people.where { $0.address.member("city", as: String.self) == "Oslo" }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The coding key of the member. A misspelled name has the value nil.
  ///   - type: The type of the member: a text, a number, a Bool, a Date or another structure.
  /// - Returns: The member in a comparison.
  public func member<Member>(_ name: String, as type: Member.Type) -> Computed<Member?> {
    Computed(operand.member(name))
  }
}
