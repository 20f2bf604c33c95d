extension BadFixture {
  /// Steps that a fixture cannot mean.
  static let ofSteps: [BadFixture] = [
    .step(
      "- fnid: {class: Note, id: 1}", "a misspelt operation",
      says: "there is no operation 'fnid'; did you mean 'find'?"),
    .step(
      "- find: {class: Note, id: 1}\n        count: {class: Note}", "two operations", line: 15,
      says: "a step has one operation, not 'find' and 'count'"),
    .step("- thread: a", "a step that does nothing", says: "the step has no operation"),
    .step(
      "- close\n      - find: {class: Note, id: 1}", "a step of one word",
      says: "a step must be a mapping with the name of an operation"),
    .step(
      "- find: {class: Note, ids: 1}", "an unknown argument",
      says: "'find' has no field 'ids'; did you mean 'id'?"),
    .step("- find: {class: Note}", "a missing argument", says: "'find' lacks 'id'"),
    .step(
      "- find: {class: Memo, id: 1}", "a class used and not declared",
      says: "the class 'Memo' is not declared", schema: false),
    .changing(
      "        returns: {objectID: 1, text: first, stars: {nil: true}}\n", to: "",
      "a step that asks and compares nothing", line: 14,
      says: "'find' only reads, and the step compares nothing"),
    .changing(
      "returns: {objectID: 1, text: first, stars: {nil: true}}", to: "fails: noSuchObjekt",
      "an unknown error code", line: 15,
      says: "'noSuchObjekt' is not allowed here; did you mean 'noSuchObject'?"),
    .changing(
      "returns: {objectID: 1, text: first, stars: {nil: true}}", to: "fails: cancelled",
      "a code that no fixture can bring about", line: 15, says: "'cancelled' is not allowed here"),
    .changing(
      "returns: {objectID: 1, text: first, stars: {nil: true}}",
      to: "fails: {code: invalidCondition, offset: -1}", "a place before the condition", line: 15,
      says: "'offset' must be a number of bytes"),
    .changing(
      "stars: {nil: true}}", to: "stars: {nil: true}}\n        fails: damaged",
      "a step that returns and fails", line: 16, says: "a step has either 'returns' or 'fails'"),
    .changing(
      "- close: {}", to: "- close: {}\n        returns: 1", "the answer of what gives none",
      line: 26, says: "'close' returns nothing to compare"),
    .changing(
      "returns: {objectID: 1, text: first, stars: {nil: true}}", to: "returns: 1",
      "an answer of another form", line: 15, says: "expected a mapping of names to values"),
    .changing(
      "returns: {objectID: 1, text: first", to: "returns: {objectId: 1, text: first",
      "an answer with an unknown property", line: 15,
      says: "no property 'objectId'; did you mean 'objectID'?", schema: false),
    .changing(
      "{stars: 3}", to: "{star: 3}", "an argument with an unknown property", line: 17,
      says: "the class 'Note' has no property 'star'; did you mean 'stars'?", schema: false),
    .changing(
      "- close: {}", to: "- removeVault: {path: a, handle: main}", "a path and a handle", line: 25,
      says: "'removeVault' needs either 'path' or 'handle'"),
    .changing(
      "- close: {}", to: "- delete: {path: ../a}", "a path that leads out", line: 25,
      says: "'../a' leaves the folder of the case"),
    .changing(
      "- close: {}", to: "- copy: {from: /etc/hostname, to: a}", "an absolute path", line: 25,
      says: "'/etc/hostname' leaves the folder of the case"),
    .changing(
      "- close: {}", to: "- open: {key: {raw: \"01\"}}", "a raw key that must not fail", line: 25,
      says: "64 or 96 hexadecimal digits"),
    .changing(
      "- close: {}", to: "- open: {create: always}", "a word of others", line: 25,
      says: "'always' is not allowed here; allowed are: ifMissing, never"),
    .changing(
      "- close: {}", to: "- delete: {path: a}\n        fails: noSuchFile", "the runner's failure",
      line: 26, says: "'delete' is an operation of the runner and cannot have 'fails'"),
    .changing(
      "- close: {}", to: "- delete: {path: a}\n        thread: other", "the runner in a thread",
      line: 26, says: "'delete' is an operation of the runner and cannot have 'thread'"),
    .changing(
      "            - count: {class: Note}",
      to: "            - crash: {}\n            - count: {class: Note}", "a crash that is not last",
      line: 23, says: "no step can follow 'crash' in a transaction"),
    .changing(
      "              returns: 1\n", to: "              returns: 1\n            - crash: {}\n",
      "an answer before a crash", line: 23, says: "'returns' of 'count' is not compared"),
    .changing(
      "            - count: {class: Note}\n              returns: 1\n",
      to: "            - transaction: {steps: [{insert: {class: Note, object: {}}, fails: busy}]}\n"
        + "            - crash: {}\n",
      "a failure in a transaction before a crash", line: 23,
      says: "'fails' of 'insert' is not compared"),
    .changing(
      "            - count: {class: Note}\n              returns: 1\n",
      to: "            - read: {steps: [{crash: {}}]}\n        fails: busy\n",
      "the failure of a transaction that crashes", line: 21,
      says: "'fails' of 'transaction' is not compared"),
    .changing(
      "              returns: 1\n", to: "              returns: 1\n              process: other\n",
      "another process within a transaction", line: 25,
      says: "a step in 'steps' cannot have 'process'"),
    .changing(
      "            - count: {class: Note}\n              returns: 1",
      to: "            - delete: {path: a}", "the runner within a transaction", line: 23,
      says: "'delete' is an operation of the runner and cannot be in 'steps'"),
    .changing(
      "            - count: {class: Note}", to: "            - cuont: {class: Note}",
      "a misspelt operation within a transaction", line: 23,
      says: "there is no operation 'cuont'; did you mean 'count'?"),
  ]
}
