/// An error in a condition, with its position and a remedy.
///
/// The message never contains the value of an argument.
package struct ConditionError: Error, Sendable, Hashable {
  /// The kind of error.
  package enum Code: Sendable, Hashable {
    /// The text does not follow the grammar.
    case syntax
    /// The text is too long or too deeply nested.
    case limit
    /// The class has no property with the name.
    case unknownProperty
    /// A value or property does not have the type that the comparison requires.
    case typeMismatch
    /// The operator does not support properties of the type.
    case unsupportedOperator
    /// An ordering comparison or a text search uses a literal nil.
    case comparisonWithNil
    /// Placeholders and arguments do not match.
    case arguments
    /// A path goes through something that is not an association.
    case notAnAssociation
    /// A path leads to many objects, but one value is required.
    case manyObjects
    /// The pattern of a `MATCHES` cannot be used.
    case pattern
  }

  package var code: Code
  /// A description of the error, its subject and its remedy.
  package var message: String
  /// The position in UTF-8 bytes from the start of the text, or `nil` without a text.
  package var offset: Int?
  /// The line of the text with a caret below the position, or an empty string without a text.
  package var excerpt: String

  package init(_ code: Code, _ message: String, at offset: Int? = nil, in text: String? = nil) {
    self.code = code
    self.message = message
    self.offset = text == nil ? nil : offset
    self.excerpt =
      if let text, let offset { TextExcerpt.pointing(at: offset, in: text) } else { "" }
  }
}
