import ObjectVaultCore

extension VaultInspection {
  /// Returns the classes of the vault and how it is encrypted.
  func overview() throws -> JSONValue {
    let (classes, others) = try vault.read {
      (
        try vault.classes(),
        try vault.otherTables().map(\.name) + vault.classesWithoutTable().map(\.table)
      )
    }
    guard case .object(let members) = state else { return state }
    return .object(
      members + [
        .init("name", .string(vault.path.split(separator: "/").last.map(String.init) ?? "")),
        .init("cipher", .string("\(try vault.cipherInfo())")),
        .init("writable", .bool(isWritable)),
        .init("classes", .array(classes.map(\.jsonValue))),
        .init("defaults", .object(classes.map { .init($0.table, $0.defaults) })),
        .init("otherTables", .array(others.map(JSONValue.string))),
      ])
  }

  /// Returns the number of objects of a class.
  func count(_ request: InspectionRequest) throws -> JSONValue {
    .object([.init("count", .integer(try store(request).count()))])
  }

  /// Returns the sizes of the parts of the file.
  func measure() throws -> JSONValue { try vault.sizeReport().json(of: "") }

  /// Returns how a query runs.
  func explain(_ request: InspectionRequest) throws -> JSONValue {
    let explanation = try inspected(request).query().explain()
    func texts(_ elements: some Sequence<String>) -> JSONValue {
      .array(elements.map(JSONValue.string))
    }
    return .object([
      .init("condition", .string(explanation.condition)),
      .init("statement", .string(explanation.sql)),
      .init("bindings", texts(explanation.bindings.map(\.rawValue))),
      .init("plan", texts(explanation.plan.map(\.description))),
      .init("costly", .bool(explanation.isCostly)),
      .init("rows", explanation.estimatedRows.map { .integer($0) } ?? .null),
      .init("warnings", texts(explanation.warnings)),
      .init("suggestions", texts(explanation.suggestions.map(\.declaration))),
    ])
  }
}

extension ClassDescription {
  /// The texts of the default values of properties, as a form shows them.
  fileprivate var defaults: JSONValue {
    .object(
      properties.compactMap { property in
        property.defaultValue.flatMap { ExchangedValue.plain($0, property.type) }
          .map { .init(property.name, .string($0)) }
      })
  }
}
