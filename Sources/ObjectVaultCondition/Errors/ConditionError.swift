/// What is wrong with a condition, where, and what would be right.
///
/// The message never holds an argument's value.
package struct ConditionError: Error, Sendable, Hashable {
  /// What kind of mistake it is.
  package enum Code: Sendable, Hashable {
    /// The text does not follow the grammar.
    case syntax
    /// The text is too long or nested too deep.
    case limit
    /// The class has no property of that name.
    case unknownProperty
    /// A value or property is of another type than the comparison needs.
    case typeMismatch
    /// The operator does not work on properties of that type.
    case unsupportedOperator
    /// An order or a search in text was asked of a literal nil.
    case comparisonWithNil
    /// Placeholders and arguments do not agree.
    case arguments
    /// A path goes through something that is not an association.
    case notAnAssociation
    /// A path leads to many objects where one value is needed.
    case manyObjects
    /// The pattern of a `MATCHES` cannot be used.
    case pattern
  }

  package var code: Code
  /// What happened, to what, and how to mend it.
  package var message: String
  /// Where in the text, in UTF-8 bytes from its start; `nil` where there is no text.
  package var offset: Int?
  /// The line of the text with a line below it that points at the place; empty without a text.
  package var excerpt: String

  package init(_ code: Code, _ message: String, at offset: Int? = nil, in text: String? = nil) {
    self.code = code
    self.message = message
    self.offset = text == nil ? nil : offset
    self.excerpt =
      if let text, let offset { TextExcerpt.pointing(at: offset, in: text) } else { "" }
  }
}
