internal import CTSS2

/// The descriptions of objects for the TPM.
enum Template {
  /// The storage key: P-256 with AES-128 in CFB mode.
  static var storageKey: TPM2B_PUBLIC {
    var template = TPM2B_PUBLIC()
    template.publicArea.type = Algorithm.ecc
    template.publicArea.nameAlg = Algorithm.sha256
    template.publicArea.objectAttributes =
      Attribute.fixedTPM | Attribute.fixedParent | Attribute.sensitiveDataOrigin
      | Attribute.userWithAuth | Attribute.noDA | Attribute.restricted | Attribute.decryptObject
    template.publicArea.parameters.eccDetail.symmetric.algorithm = Algorithm.aes
    template.publicArea.parameters.eccDetail.symmetric.keyBits.aes = 128
    template.publicArea.parameters.eccDetail.symmetric.mode.aes = Algorithm.cfb
    template.publicArea.parameters.eccDetail.scheme.scheme = Algorithm.null
    template.publicArea.parameters.eccDetail.curveID = Algorithm.p256
    template.publicArea.parameters.eccDetail.kdf.scheme = Algorithm.null
    return template
  }

  /// Returns the description of sealed bytes.
  static func sealed(hasPolicy: Bool) -> TPM2B_PUBLIC {
    var template = TPM2B_PUBLIC()
    template.publicArea.type = Algorithm.keyedHash
    template.publicArea.nameAlg = Algorithm.sha256
    template.publicArea.objectAttributes =
      Attribute.fixedTPM | Attribute.fixedParent | Attribute.noDA
      | (hasPolicy ? 0 : Attribute.userWithAuth)
    template.publicArea.parameters.keyedHashDetail.scheme.scheme = Algorithm.null
    return template
  }

  /// The cipher between this process and the TPM.
  static var parameterCipher: TPMT_SYM_DEF {
    var cipher = TPMT_SYM_DEF()
    cipher.algorithm = Algorithm.aes
    cipher.keyBits.aes = 128
    cipher.mode.aes = Algorithm.cfb
    return cipher
  }
}

// The constants of the TPM: Swift does not import macros that convert a number.

/// No handle.
let none: ESYS_TR = 0xFFF
/// The owner hierarchy.
let owner: ESYS_TR = 0x101
/// The session of an empty password.
let password: ESYS_TR = 0x0FF

/// The numbers of algorithms and curves.
enum Algorithm {
  static let aes: TPM2_ALG_ID = 0x06
  static let keyedHash: TPM2_ALG_ID = 0x08
  static let sha256: TPM2_ALG_ID = 0x0B
  static let null: TPM2_ALG_ID = 0x10
  static let ecc: TPM2_ALG_ID = 0x23
  static let cfb: TPM2_ALG_ID = 0x43
  static let p256: TPM2_ECC_CURVE = 0x03
}

/// The kinds of sessions.
enum SessionKind {
  static let hmac: TPM2_SE = 0x00
  static let policy: TPM2_SE = 0x01
  static let trial: TPM2_SE = 0x03
}

/// The attributes of sessions and objects.
enum Attribute {
  static let continueSession: TPMA_SESSION = 0x01
  static let decrypt: TPMA_SESSION = 0x20
  static let encrypt: TPMA_SESSION = 0x40
  static let fixedTPM: TPMA_OBJECT = 1 << 1
  static let fixedParent: TPMA_OBJECT = 1 << 4
  static let sensitiveDataOrigin: TPMA_OBJECT = 1 << 5
  static let userWithAuth: TPMA_OBJECT = 1 << 6
  static let noDA: TPMA_OBJECT = 1 << 10
  static let restricted: TPMA_OBJECT = 1 << 16
  static let decryptObject: TPMA_OBJECT = 1 << 17
}
