internal import CP11Kit

/// A key that a token has encrypted.
struct EncryptedKey {
  /// A method of encryption; the raw value is in wrapped bytes.
  enum Mechanism: UInt8 {
    case gcm = 1
    case oaepSHA256 = 2
    /// For tokens without SHA-256 in OAEP.
    case oaepSHA1 = 3

    /// The name for people.
    var name: String {
      switch self {
      case .gcm: "AES-GCM"
      case .oaepSHA256: "RSA-OAEP with SHA-256"
      case .oaepSHA1: "RSA-OAEP with SHA-1"
      }
    }

    /// The class of the key that decrypts.
    var decryptingClass: CK_OBJECT_CLASS { self == .gcm ? CKO_SECRET_KEY : CKO_PRIVATE_KEY }
  }

  static let nonceCount = 12

  let mechanism: Mechanism
  /// The nonce of AES-GCM; empty for RSA.
  let nonce: [UInt8]
  let bytes: [UInt8]

  /// Calls a closure with the mechanism and its parameters for the library.
  static func withMechanism(
    _ mechanism: Mechanism, nonce: [UInt8], _ body: (UnsafeMutablePointer<CK_MECHANISM>) -> CK_RV
  ) -> CK_RV {
    func call<Parameters>(_ type: CK_MECHANISM_TYPE, _ parameters: Parameters) -> CK_RV {
      var parameters = parameters
      return withUnsafeMutableBytes(of: &parameters) { bytes in
        var mechanism = CK_MECHANISM(
          mechanism: type, pParameter: bytes.baseAddress, ulParameterLen: CK_ULONG(bytes.count))
        return body(&mechanism)
      }
    }
    var nonce = nonce
    return nonce.withUnsafeMutableBufferPointer { nonce in
      switch mechanism {
      case .gcm:
        call(
          CKM_AES_GCM,
          CK_GCM_PARAMS(
            pIv: nonce.baseAddress, ulIvLen: CK_ULONG(nonce.count),
            ulIvBits: CK_ULONG(nonce.count * 8), pAAD: nil, ulAADLen: 0, ulTagBits: 128))
      case .oaepSHA256: call(CKM_RSA_PKCS_OAEP, oaep(CKM_SHA256, CKG_MGF1_SHA256))
      case .oaepSHA1: call(CKM_RSA_PKCS_OAEP, oaep(CKM_SHA_1, CKG_MGF1_SHA1))
      }
    }
  }

  private static func oaep(_ hash: UInt, _ mask: UInt) -> CK_RSA_PKCS_OAEP_PARAMS {
    CK_RSA_PKCS_OAEP_PARAMS(
      hashAlg: hash, mgf: mask, source: 1, pSourceData: nil, ulSourceDataLen: 0)
  }
}
