/// What a step of a fixture does. The raw value is its name in fixtures and in the protocol.
package enum Operation: String, Sendable, Hashable, CaseIterable {
  // Vaults
  case open, close, removeVault, cipher, events, classes, rekey
  // Stores
  case store, removeStore
  // Writing
  case insert, replace, save, insertMany, saveMany, update, updateMany, changeID
  case remove, removeMany, removeByID, removeByIDs, removeAll, removeWhere
  // Asking
  case find, findMany, contains, query, ids, first, count, exists, values
  // Scopes
  case transaction, read
  // The runner's own
  case crash, sql, copy, write, overwrite, truncate, delete, file
}

extension Operation {
  /// Who does it.
  package enum Performer: Sendable, Hashable {
    case testee, runner
  }

  /// Who does it. `crash` is asked of a testee, though the runner watches for its end.
  package var performer: Performer {
    switch self {
    case .sql, .copy, .write, .overwrite, .truncate, .delete, .file: .runner
    default: .testee
    }
  }

  /// The form of the answer; `nil` where the operation gives none.
  package var answer: ValueForm? {
    switch self {
    case .cipher:
      .record([.required("format", .integer), .required("pageSize", .integer)])
    case .events: .list(.text)
    case .classes:
      .record([.required("described", .list(.text)), .required("other", .list(.text))])
    case .insert, .replace, .save: .object
    case .insertMany, .saveMany, .ids: .list(.objectID)
    case .removeAll, .removeWhere, .count: .integer
    case .find, .first: .objectOrNil
    case .findMany, .query: .list(.object)
    case .contains, .exists: .bool
    case .values: .list(.list(.value))
    default: nil
    }
  }

  /// Whether a step may leave the answer uncompared, since it is asked for its effect.
  package var changesSomething: Bool {
    switch self {
    case .insert, .replace, .save, .insertMany, .saveMany, .removeAll, .removeWhere: true
    default: answer == nil
    }
  }

  /// The arguments it takes.
  package var arguments: [ValueForm.Field] {
    switch self {
    case .open: [Self.handle] + Self.opening
    case .close, .cipher, .events, .classes: [Self.handle]
    case .removeVault: [.optional("path", .text), Self.handle]
    case .rekey: [.required("key", .key), Self.handle]
    case .store: Self.ofClass + [.optional("from", .word(["fixture", "file"]))]
    case .removeStore, .removeAll: Self.ofClass
    case .insert, .replace, .save, .remove: Self.ofClass + [.required("object", .object)]
    case .insertMany, .saveMany, .updateMany, .removeMany:
      Self.ofClass + [.required("objects", .list(.object))]
    case .update:
      Self.ofClass + [.required("object", .object), .optional("only", .list(.text))]
    case .changeID: Self.ofClass + [.required("id", .objectID), .required("to", .objectID)]
    case .removeByID, .find, .contains: Self.ofClass + [.required("id", .objectID)]
    case .removeByIDs, .findMany: Self.ofClass + [.required("ids", .list(.objectID))]
    case .removeWhere, .query, .ids, .first, .count, .exists: Self.ofClass + Self.asking
    case .values: Self.ofClass + [.required("properties", .list(.text))] + Self.asking
    case .transaction:
      [.required("steps", .steps), .optional("end", .word(["commit", "rollback"])), Self.handle]
    case .read: [.required("steps", .steps), Self.handle]
    case .crash: []
    case .sql: [.required("statements", .list(.text))] + Self.ofFile
    case .copy: [.required("from", .text), .required("to", .text)]
    case .write: [.required("path", .text), .required("data", .bytes)]
    case .overwrite:
      [.required("path", .text), .required("at", .integer), .required("data", .bytes)]
    case .truncate: [.required("path", .text), .required("to", .integer)]
    case .delete: [.required("path", .text)]
    case .file: FileExpectation.fields
    }
  }

  private static let handle = ValueForm.Field.optional("handle", .text)
  private static let ofClass = [ValueForm.Field.required("class", .text), handle]
  private static let ofFile: [ValueForm.Field] = [.optional("path", .text), .optional("key", .key)]

  /// How a vault is opened; also the fields of a case's `vault`.
  package static let opening: [ValueForm.Field] = [
    .optional("path", .text), .optional("key", .key), .optional("lazily", .bool),
    .optional("create", .word(["ifMissing", "never"])), .optional("readOnly", .bool),
    .optional("cipherFormat", .word(["native", "portable"])),
    .optional("busyTimeout", .number), .optional("regularExpressions", .bool),
  ]

  private static let condition: [ValueForm.Field] = [
    .optional("arguments", .list(.value)), .optional("named", .named(.value)),
  ]

  /// Which objects, in what order, and how many.
  private static let asking: [ValueForm.Field] =
    [.optional("where", .text)] + condition + [
      .optional("and", .list(.record([.required("where", .text)] + condition))),
      .optional("sort", .list(.text)), .optional("offset", .integer),
      .optional("length", .integer),
    ]
}
