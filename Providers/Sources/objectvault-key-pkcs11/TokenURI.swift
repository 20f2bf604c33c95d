internal import CP11Kit
internal import KeyProviderProgram

/// A PKCS #11 URI that names one key on one token.
struct TokenURI: ~Copyable {
  let uri: OpaquePointer

  /// Returns the URI of a text that names a token and a key.
  static func read(_ text: String) throws(ProviderError) -> TokenURI {
    let uri = try TokenURI()
    try uri.parse(text)
    return uri
  }

  private init() throws(ProviderError) {
    guard let uri = p11_kit_uri_new() else {
      throw .failed("There is not enough memory. End other programs and try again.")
    }
    self.uri = uri
  }

  private func parse(_ text: String) throws(ProviderError) {
    guard p11_kit_uri_parse(text, P11KitUriType(P11_KIT_URI_FOR_ANY.rawValue), uri) == 0 else {
      throw .failed(
        "The settings are no PKCS #11 URI. Use one such as pkcs11:token=vaults;object=wrapping.")
    }
    guard p11_kit_uri_get_pin_value(uri) == nil, p11_kit_uri_get_pin_source(uri) == nil else {
      throw .failed("The settings are not secret. Remove the PIN from the URI and type it instead.")
    }
    // A keyring that another person changed must not select a library to load.
    guard p11_kit_uri_get_module_path(uri) == nil, p11_kit_uri_get_module_name(uri) == nil,
      p11_kit_uri_any_unrecognized(uri) == 0
    else {
      throw .failed(
        "The URI names a module or has an unknown part. Configure the module in p11-kit instead, "
          + "and remove that part.")
    }
    guard let token = p11_kit_uri_get_token_info(uri),
      token.pointee.label.0 != 0 || token.pointee.serialNumber.0 != 0
    else { throw .failed("The URI does not name the token. Add token= or serial=.") }
    guard !attributes.isEmpty else {
      throw .failed("The URI does not name the key. Add object= or id=.")
    }
  }

  deinit { p11_kit_uri_free(uri) }

  /// The attributes of the key: its label, its ID, its class.
  var attributes: [CK_ATTRIBUTE] {
    var count: CK_ULONG = 0
    guard let start = p11_kit_uri_get_attributes(uri, &count) else { return [] }
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }
}
