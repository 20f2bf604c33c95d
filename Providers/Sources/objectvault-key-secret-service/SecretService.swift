internal import CLibsecret
internal import KeyProviderProgram

/// Keys as items in the keyring of a desktop.
///
/// The wrapped bytes contain the ID of the item, and not the key. The setting `collection=ALIAS`
/// selects a collection; the default collection otherwise.
enum SecretService: ProviderCommands {
  private static let header = "OVS1"

  static func wrap(
    _ secret: borrowing ProtectedBytes, _ request: ProviderRequest
  ) throws(ProviderError) -> [UInt8] {
    let alias = try request.settings(named: ["collection"])["collection"] ?? "default"
    let connection = try ServiceConnection()
    let id = try randomBytes(16).map {
      $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16)
    }
    .joined()
    try connection.store(secret, id: id, in: alias, request)
    return WrappedFields.bytes([Array(id.utf8)], header: header)
  }

  static func unwrap(
    _ wrapped: [UInt8], _ request: ProviderRequest
  ) throws(ProviderError) -> ProtectedBytes {
    _ = try request.settings(named: ["collection"])
    let id = try id(of: wrapped)
    return try ServiceConnection().secret(of: id, request)
  }

  static func describe(_ wrapped: [UInt8]) throws(ProviderError) -> String {
    "Keyring of the desktop (Secret Service), item with the attribute key=\(try id(of: wrapped))."
  }

  private static func id(of wrapped: [UInt8]) throws(ProviderError) -> String {
    let id = try WrappedFields(wrapped, header: header, count: 1).text(0)
    guard id.utf8.count == 32, id.allSatisfy(\.isHexDigit) else { throw .damaged }
    return id
  }
}
