import ObjectVaultNames
import SwiftDiagnostics
import SwiftSyntax

extension TypeReader {
  /// The arguments of `@Stored`.
  struct Arguments {
    var table: String?
    /// The expression that requests a table name derived from the type name, or `nil`.
    var tableRule: ExprSyntax?
    var renamedFrom: [String] = []
    /// The properties listed in `only:`, or `nil` if the argument is missing.
    var only: [ListedProperty]?
    /// The elements of `indexes:` and `unique:`, and whether each one is unique.
    var indexes: [(names: ExprSyntax, isUnique: Bool)] = []
    /// The module of `search:`.
    var searchModule: ExprSyntax?
    /// The arguments that are options of the table.
    var options: [(label: String, value: ExprSyntax)] = []
    /// The literal `true` of `withoutRowID:`, if present.
    var literallyWithoutRowID: ExprSyntax?
    /// Whether the type may conform to `Identifiable`.
    var isIdentifiable = true
  }

  mutating func readArguments(typeName: TokenSyntax, isGeneric: Bool) -> Arguments {
    var result = Arguments()
    let plainName = typeName.plainText
    var tableNode = Syntax(typeName)
    for argument in attribute.labeledArguments {
      switch argument.label?.text {
      case "table":
        tableNode = Syntax(argument.expression)
        if argument.expression.isPlural {
          result.tableRule = argument.expression
          result.table = PluralName.table(ofClass: plainName)
          continue
        }
        guard let name = argument.expression.literalText else {
          reportNotLiteral(argument.expression, "the table name", of: plainName)
          continue
        }
        result.table = name
      case "renamedFrom":
        let names = argument.expression.as(ArrayExprSyntax.self)?.elements.map(
          \.expression.literalText)
        guard let names, !names.contains(nil) else {
          reportNotLiteral(argument.expression, "the list of former tables", of: plainName)
          continue
        }
        result.renamedFrom = names.compactMap { $0 }
      case "only":
        result.only = readOnly(argument.expression, of: plainName)
      case let label where label == "indexes" || label == "unique":
        guard let list = argument.expression.as(ArrayExprSyntax.self) else {
          reportNotLiteral(argument.expression, "the list of indexes", of: plainName)
          continue
        }
        result.indexes += list.elements.map { ($0.expression, label == "unique") }
      case "identifiable":
        switch argument.expression.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind {
        case .keyword(.true): break
        case .keyword(.false): result.isIdentifiable = false
        default: reportNotLiteral(argument.expression, "'identifiable'", of: plainName)
        }
      case "search":
        result.searchModule = argument.expression
      case .some(let label) where Self.tableOptions.contains(label):
        result.options.append((label, argument.expression.trimmed.namingSelf(typeName.text)))
        let literal = argument.expression.as(BooleanLiteralExprSyntax.self)?.literal
        if label == "withoutRowID", literal?.tokenKind == .keyword(.true) {
          result.literallyWithoutRowID = argument.expression
        }
      default:
        continue
      }
    }
    if isGeneric, result.table == nil || result.tableRule != nil {
      diagnostics.report(
        typeName,
        "'\(plainName)' is generic, so its name does not identify one table; "
          + "use '@Stored(table:)'",
        fixIts: result.tableRule.map {
          [FixIt.replacing($0, by: Self.tablePlaceholder, "name the table")]
        } ?? tableFixIts)
      return result
    }
    let table = result.table ?? plainName
    if let problem = NameRules.problem(with: table) {
      diagnostics.report(
        tableNode, "the table of '\(plainName)' cannot be named '\(table)': \(problem)",
        fixIts: result.table == nil ? tableFixIts : [])
    }
    return result
  }

  /// The labels of the arguments that are options of the table.
  private static let tableOptions = ["columnOrder", "withoutRowID", "insertionTime", "history"]

  private static let tablePlaceholder = #""<#table name#>""#

  /// Fix-its that add a `table:` argument with a placeholder.
  private var tableFixIts: [FixIt] {
    let argument = "table: \(Self.tablePlaceholder)"
    if let open = attribute.leftParen {
      let separator = attribute.labeledArguments.isEmpty ? "" : ", "
      return [.replacing(open, by: "(\(argument)\(separator)", "name the table")]
    }
    return FixIt.inserting("(\(argument))", after: attribute.attributeName, "name the table")
  }

  mutating func reportNotLiteral(_ node: ExprSyntax, _ what: String, of name: String) {
    diagnostics.report(node, "\(what) of '\(name)' must be a plain literal")
  }

  /// Returns the indexes of `@Indexed`, followed by those of `@Stored`.
  mutating func readIndexes(
    _ arguments: Arguments, properties reader: PropertyReader
  ) -> [StoredType.Index] {
    var result = reader.indexes
    for (expression, isUnique) in arguments.indexes {
      guard let list = expression.as(ArrayExprSyntax.self), !list.elements.isEmpty else {
        diagnostics.append(
          .stored(
            expression, "an index must be a list of property names, such as '[\"age\", \"score\"]'")
        )
        continue
      }
      var names: [String] = []
      for element in list.elements {
        if let name = readIndexedName(element.expression, reader) {
          if names.contains(name) {
            diagnostics.report(element.expression, "'\(name)' is already in this index")
          }
          names.append(name)
        }
      }
      result.append(StoredType.Index(properties: names, isUnique: isUnique))
    }
    return result
  }

  private mutating func readIndexedName(
    _ expression: ExprSyntax, _ reader: PropertyReader
  ) -> String? {
    guard let name = expression.literalText else {
      diagnostics.report(expression, "an indexed property must be named by a plain string literal")
      return nil
    }
    if reader.properties.contains(where: { $0.name == name }) { return name }
    let candidates = reader.properties.map(\.name)
    if let reason = reader.leftOut[name] {
      diagnostics.append(.stored(expression, "'\(name)' cannot be indexed: it \(reason)"))
    } else if let near = NameRules.nearest(to: name, among: candidates) {
      diagnostics.report(
        expression,
        "'\(reader.typeName)' has no stored property '\(name)'; did you mean '\(near)'?",
        fixIts: [.replacing(expression, by: "\"\(near)\"", "replace it with '\(near)'")])
    } else {
      diagnostics.report(expression, "'\(reader.typeName)' has no stored property '\(name)'")
    }
    return nil
  }
}

extension ExprSyntax {
  /// Whether the expression is `.plural` or `TableName.plural`.
  fileprivate var isPlural: Bool {
    guard let member = self.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "plural"
    else { return false }
    let base = member.base?.trimmedDescription
    return base == nil || base == "TableName" || base?.hasSuffix(".TableName") == true
  }
}
