/// The operation of a step.
///
/// The raw value is its name in fixtures and in the protocol.
package enum FixtureOperation: String, Sendable, Hashable, CaseIterable {
  // Vaults
  case open, close, removeVault, cipher, events, classes
  // The file of an open vault
  case rekey, rotate, backup, freshness
  // Closed files
  case encrypt, decrypt, upgrade, restore, verify, salvage
  // Keyrings
  case slots, testSlot, addSlot, removeSlot, renameSlot, changeKey
  // Stores
  case store, removeStore
  // Writing
  case insert, replace, save, insertMany, saveMany, update, updateMany, changeID
  case remove, removeMany, removeByID, removeByIDs, removeAll, removeWhere
  case updateWhere
  // Querying
  case find, findMany, contains, query, ids, first, count, exists, values
  case distinct, page, min, max, sum, average
  case search, rebuildSearch
  // SQL
  case rows, execute
  // Scopes
  case transaction, read
  // Operations of the runner
  case crash, sql, copy, write, overwrite, truncate, delete, file
}

extension FixtureOperation {
  /// The program that performs an operation.
  package enum Performer: Sendable, Hashable {
    case testee, runner
  }

  /// The performer of the operation.
  ///
  /// `crash` is sent to a testee, and the runner checks that the process ended.
  package var performer: Performer {
    switch self {
    case .sql, .copy, .write, .overwrite, .truncate, .delete, .file: .runner
    default: .testee
    }
  }

  /// The form of the answer; `nil` if the operation returns nothing.
  package var answer: FixtureForm? {
    switch self {
    case .cipher:
      .record([.required("format", .integer), .required("pageSize", .integer)])
    case .events: .list(.text)
    case .classes:
      .record([.required("described", .list(.text)), .required("other", .list(.text))])
    case .freshness: .integer
    case .verify: .record([.required("isSound", .bool), .required("badPages", .list(.integer))])
    case .salvage: .record([.required("rows", .named(.integer)), .required("isWhole", .bool)])
    case .slots: .list(Self.slot)
    case .testSlot: Self.slot
    case .insert, .replace, .save: .object
    case .insertMany, .saveMany, .ids, .search: .list(.objectID)
    case .removeAll, .removeWhere, .updateWhere, .count, .execute: .integer
    case .find, .first: .objectOrNil
    case .findMany, .query: .list(.object)
    case .contains, .exists: .bool
    case .values, .distinct, .rows: .list(.list(.value))
    case .page:
      .record([
        .required("ids", .list(.objectID)), .required("totalItems", .integer),
        .required("totalPages", .integer),
      ])
    case .min, .max, .sum, .average: .value
    default: nil
    }
  }

  /// Whether the operation has an effect, so that a step need not compare its answer.
  package var changesSomething: Bool {
    switch self {
    case .insert, .replace, .save, .insertMany, .saveMany, .removeAll, .removeWhere: true
    case .updateWhere, .execute: true
    case .freshness, .salvage: true
    default: answer == nil
    }
  }

  /// The arguments of the operation.
  package var arguments: [FixtureForm.Field] {
    switch self {
    case .open: [Self.handle] + Self.opening
    case .close, .cipher, .events, .classes: [Self.handle]
    case .removeVault: [.optional("path", .text), Self.handle]
    case .rekey: [.required("key", .key), Self.handle]
    case .rotate:
      [
        .required("unlockedBy", .slotKey), .optional("keeping", .list(.slotKey)), Self.handle,
      ]
    case .backup: [.required("to", .text), .optional("key", .key), Self.handle]
    case .freshness: [Self.handle]
    case .encrypt:
      [.required("path", .text), .required("key", .key), .optional("to", .text)] + Self.ofCipher
    case .decrypt: [.required("to", .text), Self.fromFormat] + Self.ofFile
    case .upgrade: Self.ofFile + Self.ofCipher + [Self.fromFormat]
    case .restore:
      [.required("path", .text), .required("to", .text), .optional("key", .key)]
        + [.optional("newKey", .key), .optional("replacing", .bool), Self.fromFormat]
    case .verify: Self.ofFile + [.optional("counter", .integer), Self.fromFormat]
    case .salvage:
      [.required("to", .text)] + Self.ofFile + [.optional("newKey", .key), Self.fromFormat]
    case .slots: Self.ofKeyring
    case .testSlot: [.required("key", .slotKey)] + Self.ofKeyring
    case .addSlot:
      [.required("name", .text), .required("key", .slotKey), .required("unlockedBy", .slotKey)]
        + Self.ofKeyring
    case .removeSlot:
      [.required("name", .text), .required("unlockedBy", .slotKey)] + Self.ofKeyring
    case .renameSlot:
      [.required("name", .text), .required("to", .text), .required("key", .slotKey)]
        + Self.ofKeyring
    case .changeKey:
      [.optional("name", .text), .required("to", .slotKey), .required("unlockedBy", .slotKey)]
        + Self.ofKeyring
    case .store: Self.ofClass + [.optional("from", .word(["fixture", "file"]))]
    case .removeStore, .rebuildSearch: Self.ofClass
    case .removeAll: Self.ofObjects
    case .insert, .replace, .save, .remove: Self.ofObjects + [.required("object", .object)]
    case .insertMany, .saveMany, .updateMany, .removeMany:
      Self.ofObjects + [.required("objects", .list(.object))]
    case .update:
      Self.ofObjects + [.required("object", .object), .optional("only", .list(.text))]
    case .changeID: Self.ofObjects + [.required("id", .objectID), .required("to", .objectID)]
    case .removeByID, .find, .contains: Self.ofObjects + [.required("id", .objectID)]
    case .removeByIDs, .findMany: Self.ofObjects + [.required("ids", .list(.objectID))]
    case .removeWhere, .query, .ids, .first, .count, .exists: Self.ofObjects + Self.asking
    case .updateWhere: Self.ofObjects + [.required("set", .object)] + Self.asking
    case .values, .distinct:
      Self.ofObjects + [.required("properties", .list(.text))] + Self.asking
    case .page:
      Self.ofObjects + [.required("number", .integer), .required("size", .integer)] + Self.asking
    case .min, .max, .sum, .average:
      Self.ofObjects + [.required("property", .text)] + Self.asking
    case .search:
      Self.ofObjects + [.required("text", .text), .optional("in", .text)] + Self.asking
    case .rows, .execute:
      [.required("sql", .text), .optional("values", .list(.value)), Self.handle]
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

  private static let handle = FixtureForm.Field.optional("handle", .text)
  private static let ofClass = [FixtureForm.Field.required("class", .text), handle]
  private static let ofObjects = ofClass + [FixtureForm.Field.optional("partition", .object)]
  private static let ofFile: [FixtureForm.Field] = [
    .optional("path", .text), .optional("key", .key),
  ]

  /// The cipher format of a file, if the caller specifies it.
  private static let fromFormat = FixtureForm.Field.optional("fromFormat", .integer)

  private static let ofCipher: [FixtureForm.Field] = [
    .optional("cipherFormat", .word(["native", "portable"])), .optional("pageSize", .integer),
  ]
  /// The vault, and its keyring unless that is next to the vault.
  private static let ofKeyring: [FixtureForm.Field] = [
    .optional("path", .text), .optional("at", .text),
  ]
  private static let slot = FixtureForm.record([
    .required("name", .text),
    .required("kind", .word(["passphrase", "recoveryCode", "keyFile", "raw"])),
  ])

  /// The arguments that open a vault; also the fields of a case's `vault`.
  package static let opening: [FixtureForm.Field] = [
    .optional("path", .text), .optional("key", .key), .optional("lazily", .bool),
    .optional("create", .word(["ifMissing", "never"])), .optional("readOnly", .bool),
    .optional("cipherFormat", .word(["native", "portable"])),
    .optional("minimumCipherFormat", .integer), .optional("busyTimeout", .number),
    .optional("regularExpressions", .bool),
  ]

  private static let condition: [FixtureForm.Field] = [
    .optional("arguments", .list(.value)), .optional("named", .named(.value)),
  ]

  /// The conditions, order, offset and length of a query.
  private static let asking: [FixtureForm.Field] =
    [.optional("where", .text)] + condition + [
      .optional("and", .list(.record([.required("where", .text)] + condition))),
      .optional("sort", .list(.text)), .optional("offset", .integer),
      .optional("length", .integer),
    ]
}
