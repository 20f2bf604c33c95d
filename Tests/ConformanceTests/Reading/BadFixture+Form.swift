extension BadFixture {
  /// Files, classes, cases and files afterwards that have not the form that they must have.
  static let ofForm: [BadFixture] = [
    .changing("format: 1", to: "format: 2", "another format", line: 1, says: "the format is 2"),
    .changing("format: 1\n", to: "", "no format", line: 1, says: "lacks 'format'"),
    .changing(
      "description: A", to: "descriptoin: A", "no description", line: 1,
      says: "lacks 'description'", also: (2, "no field 'descriptoin'; did you mean 'description'?")),
    .changing(
      "objects:\n", to: "onjects:\n", "an unknown field of a file", line: 6,
      says: "no field 'onjects'; did you mean 'objects'?"),
    .changing(
      "    covers:", to: "    cover:", "an unknown field of a case", line: 11,
      says: "a case has no field 'cover'; did you mean 'covers'?"),
    .changing(
      "- name: a note is kept\n    vault: {key: {passphrase: a}}",
      to: "- vault: {key: {passphrase: a}}", "a case without a name", line: 18,
      says: "a case lacks 'name'", also: (18, "a case needs a name and steps")),
    .changing(
      "a note is kept", to: "a note is found", "a name used twice", line: 18,
      says: "the name 'a note is found' is already that of the case in line 10", schema: false),
    .changing(
      "    after:", to: "  - name: nothing is done\n    after:", "a case without steps", line: 26,
      says: "a case lacks 'steps'", also: (26, "a case needs a name and steps")),
    .changing(
      "    steps:\n      - transaction:", to: "    steps: []\n    x:\n      - transaction:",
      "a case with no steps", line: 20, says: "a list of one or more steps",
      also: (21, "a case has no field 'x'")),
    .changing("[S1]", to: "[1S]", "no row", line: 11, says: "'1S' is not a row of acceptance.yaml"),
    .changing("[S1]", to: "[s1]", "a small row", line: 11, says: "'s1' is not a row"),
    .changing("[S1]", to: "[S1, X2, S1]", "a row twice", line: 11, says: "'S1' occurs twice"),
    .changing("[S1]", to: "S1", "rows that are no list", line: 11, says: "a list of texts"),
    .changing(
      "engine: 4", to: "engine: 5", "another engine", line: 12, says: "'engine' must be 3 or 4"),
    .changing(
      "  Note:\n    properties: {text: String",
      to: "  Note:\n    objectIds: a\n    properties: {text: String", "an unknown field of a class",
      line: 5, says: "no field 'objectIds'; did you mean 'objectID'?"),
    .changing(
      "text: String,", to: "text: Strnig,", "an unknown type", line: 5,
      says: "'Strnig' is not a property type; did you mean 'String'?"),
    .changing(
      "text: String,", to: "text: {type: String, colunm: a},", "an unknown field of a property",
      line: 5, says: "no field 'colunm'; did you mean 'column'?"),
    .changing(
      "text: String,", to: "text: {type: String, default: {list: [a]}},", "a list as a default",
      line: 5, says: "a list cannot be the default"),
    .changing(
      "{text: String, stars: \"Int?\"}", to: "{text: String, stars: Int?}\n    objectID: []",
      "an objectID of nothing", line: 6, says: "'objectID' names no property"),
    .changing(
      "{text: String, stars: \"Int?\"}",
      to: "{text: String, stars: Int?}\n    references: {stars: {tabel: Note}}",
      "an unknown field of a reference", line: 6, says: "no field 'tabel'; did you mean 'table'?"),
    .changing(
      "{text: String, stars: \"Int?\"}",
      to: "{text: String, stars: Int?}\n    references: {stars: {table: Note, onDelete: forbid}}",
      "an unknown rule", line: 6, says: "'forbid'"),
    .changing(
      "{text: String, stars: \"Int?\"}",
      to: "{text: String, stars: Int?}\n    owned: {notes: {table: Note}}",
      "owned objects without a reference", line: 6, says: "lacks 'reference'"),
    .changing(
      "objects:\n  Note:", to: "objects:\n  Memo:", "objects of no class", line: 7,
      says: "the class 'Memo' is not declared in 'classes'", schema: false),
    .changing(
      "- {text: first}", to: "- {txet: first}", "objects with an unknown property", line: 8,
      says: "the class 'Note' has no property 'txet'; did you mean 'text'?", schema: false),
    .changing(
      "vault: {key: {passphrase: a}}", to: "vault: none\n    objects: {Note: [{text: a}]}",
      "objects and no vault", line: 20, says: "objects need a vault, but 'vault' is none",
      schema: false),
    .changing(
      "vault: {key: {passphrase: a}}", to: "vault: any", "no such vault", line: 19,
      says: "'any' is not allowed here"),
    .changing(
      "{passphrase: a}", to: "{pass: a}", "no such key", line: 19,
      says: "a key must be {raw: HEX}, "),
    .changing(
      "{passphrase: a}", to: "{passphrase: a, at: k}", "a keyring's place without a keyring",
      line: 19, says: "expected a key: {raw: HEX}, "),
    .changing(
      "{passphrase: a}", to: "{keyring: {passphrase: a, raw: \"00\"}}", "a slot with two keys",
      line: 19, says: "expected the key of a slot: {passphrase: TEXT}, "),
    .changing(
      "{passphrase: a}", to: "{keyring: {slot: a}}", "a slot without a key",
      line: 19, says: "expected the key of a slot"),
    .changing(
      "{passphrase: a}", to: "{keyring: {password: a}}", "no such key of a slot",
      line: 19, says: "the key of a slot must be {passphrase: TEXT}, "),
    .changing(
      "{passphrase: a}", to: "{keyring: {passphrase: a}, at: ../k}", "a keyring elsewhere",
      line: 19, says: "leaves the folder of the case"),
    .changing(
      "{passphrase: a}", to: "{raw: \"0102\"}", "a raw key of two bytes", line: 19,
      says: "64 or 96 hexadecimal digits"),
    .changing(
      "{key: {passphrase: a}}", to: "{file: ../secret}", "a file elsewhere", line: 19,
      says: "'file' must be databases/NAME"),
    .changing(
      "counts: {Note: 1}", to: "count: {Note: 1}", "an unknown field of a file afterwards",
      line: 27, says: "no field 'count'; did you mean 'counts'?"),
    .changing(
      "counts: {Note: 1}", to: "counts: {Note: one}", "a count in words", line: 27,
      says: "expected a whole number, found text"),
    .changing(
      "counts: {Note: 1}", to: "exists: false\n      tables: []", "tables of no file", line: 28,
      says: "'tables' cannot be compared in a file that must not exist"),
    .changing(
      "counts: {Note: 1}", to: "counts: {Note: 1}\n      withPlaintext: [quiet]",
      "a count in a file with plaintext", line: 27,
      says: "'counts' cannot be compared next to 'withPlaintext'", schema: false),
    .changing(
      "counts: {Note: 1}", to: "counts: {}", "counts of no table", line: 27,
      says: "'counts' is empty and compares nothing"),
    .changing(
      "counts: {Note: 1}", to: "path: a\n      withPlaintext: []", "no plaintext", line: 28,
      says: "'withPlaintext' is empty and compares nothing"),
    .changing(
      "counts: {Note: 1}", to: "refusedKeys: []", "no refused key", line: 27,
      says: "'refusedKeys' is empty and compares nothing"),
    .changing(
      "counts: {Note: 1}", to: "cipher: {}", "no cipher setting", line: 27,
      says: "'cipher' is empty and compares nothing"),
    .changing(
      "counts: {Note: 1}", to: "columns: {Note: [{name: a}]}", "a column without a type", line: 27,
      says: "lacks 'type'"),
  ]
}
