import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

extension ExprSyntax {
  /// Whether the expression consists of literals only.
  ///
  /// Its one value can then also be the value of objects that were stored before the property
  /// existed. `UUID()` or `Date.now` are no literals: evaluated once, they would give every old
  /// object the same value.
  var isLiteral: Bool {
    if let text = self.as(StringLiteralExprSyntax.self) {
      return text.representedLiteralValue != nil
    }
    if let array = self.as(ArrayExprSyntax.self) {
      return array.elements.allSatisfy { $0.expression.isLiteral }
    }
    if let dictionary = self.as(DictionaryExprSyntax.self) {
      guard case .elements(let elements) = dictionary.content else { return true }
      return elements.allSatisfy { $0.key.isLiteral && $0.value.isLiteral }
    }
    if let prefixed = self.as(PrefixOperatorExprSyntax.self) {
      return prefixed.operator.text == "-" && prefixed.expression.isNumber
    }
    return isNumber || self.is(BooleanLiteralExprSyntax.self)
  }

  private var isNumber: Bool {
    self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
  }

  /// The type that Swift infers for a plain literal: `Int`, `Double`, `String` or `Bool`.
  var literalType: TypeSyntax? {
    if let prefixed = self.as(PrefixOperatorExprSyntax.self) {
      return prefixed.operator.text == "-" && prefixed.expression.isNumber
        ? prefixed.expression.literalType : nil
    }
    if self.is(IntegerLiteralExprSyntax.self) { return "Int" }
    if self.is(FloatLiteralExprSyntax.self) { return "Double" }
    if self.is(StringLiteralExprSyntax.self) { return "String" }
    if self.is(BooleanLiteralExprSyntax.self) { return "Bool" }
    return nil
  }

  /// The type that a call such as `[String]()` or `Set<Int>()` spells, for use in a fix-it.
  var spelledType: String? {
    guard let callee = self.as(FunctionCallExprSyntax.self)?.calledExpression else { return nil }
    let text = callee.trimmedDescription
    if callee.is(ArrayExprSyntax.self) || callee.is(DictionaryExprSyntax.self) { return text }
    let isName = text.first?.isUppercase == true && !callee.is(MemberAccessExprSyntax.self)
    return isName ? text : nil
  }
}
