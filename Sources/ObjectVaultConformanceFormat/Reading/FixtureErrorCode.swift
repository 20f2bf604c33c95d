/// The error codes that a step can expect, as listed in `Fixtures/README.md`.
///
/// The library has more codes, for errors that no fixture can cause.
package enum FixtureErrorCode {
  package static let all = [
    "noSuchFile", "empty",
    "noKey", "invalidKey", "wrongKey",
    "keyringMissing", "keyringMalformed", "keyringTampered", "keyringRolledBack",
    "keyringMismatch", "noSuchSlot",
    "notEncrypted", "unauthenticated", "unsupportedCipherSettings", "newerCipherFormat",
    "newerFormat", "truncated", "damaged",
    "busy", "readOnly", "diskFull", "inputOutput", "cannotOpen",
    "closed", "invalidated", "replaced",
    "invalidClass", "schemaMismatch", "noSuchClass", "noSuchProperty",
    "upgradeRefused", "upgradeInTransaction", "newerSchema",
    "noSuchObject", "noObjectID", "otherPartition", "duplicate", "invalidValue", "overflow",
    "constraint",
    "danglingReference", "removalDenied", "ownership",
    "invalidCondition", "invalidArgument",
    "deadlock", "transactionAborted", "engineRefused",
  ]
}
