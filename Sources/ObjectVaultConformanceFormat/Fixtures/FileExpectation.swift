/// The expected state of a file: an entry of `after`, or the operation `file`.
package struct FileExpectation: Sendable {
  /// The fields, read according to ``fields``.
  package var value: FixtureValue
  package var place: SourcePlace

  package init(_ value: FixtureValue, at place: SourcePlace) {
    self.value = value
    self.place = place
  }

  /// The fields that an expectation can have.
  package static let fields: [FixtureForm.Field] = [
    .optional("path", .text), .optional("key", .key), .optional("exists", .bool),
    .optional("tables", .list(.text)),
    .optional("columns", .named(.list(.record(column)))),
    .optional("indexes", .named(.list(.record(index)))),
    .optional("foreignKeys", .named(.list(.record(foreignKey)))),
    .optional("counts", .named(.integer)),
    .optional("rows", .named(.list(.list(.value)))),
    .optional("ddl", .named(.text)),
    .optional("pragmas", .named(.value)),
    .optional("cipher", .record([.optional("format", .integer), .optional("pageSize", .integer)])),
    .optional("refusedKeys", .list(.key)),
    .optional("withoutPlaintext", .list(.bytes)), .optional("withPlaintext", .list(.bytes)),
    .optional("files", .list(.text)),
  ]

  private static let column: [FixtureForm.Field] = [
    .required("name", .text), .required("type", .text), .optional("notNull", .bool),
    .optional("default", .text), .optional("key", .integer),
  ]

  private static let index: [FixtureForm.Field] = [
    .required("columns", .list(.text)), .optional("unique", .bool), .optional("name", .text),
  ]

  private static let foreignKey: [FixtureForm.Field] = [
    .required("columns", .list(.text)), .required("table", .text), .required("to", .list(.text)),
    .required("onDelete", .text), .required("onUpdate", .text),
  ]
}
