internal import ObjectVaultPrimitives

/// Random bytes that need not be kept secret: salts, nonces, identifiers.
enum RandomBytes {
  static func make(_ count: Int) throws(KeyError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard bytes.withUnsafeMutableBytes({ Cryptography.fillWithRandomBytes($0, isSecret: false) })
    else { throw .noRandomBytes }
    return bytes
  }
}
