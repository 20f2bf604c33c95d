internal import CP11Kit
internal import KeyProviderProgram

/// The PKCS #11 modules that p11-kit has loaded.
struct TokenModules: ~Copyable {
  private let modules: [UnsafeMutablePointer<CK_FUNCTION_LIST>]

  /// Loads all modules that the system's administrator or the user has configured.
  init() throws(ProviderError) {
    guard let start = p11_kit_modules_load_and_initialize(0) else {
      throw .missing(
        "p11-kit loads no module. Check its configuration with 'p11-kit list-modules'.")
    }
    var modules: [UnsafeMutablePointer<CK_FUNCTION_LIST>] = []
    while let module = start[modules.count] { modules.append(module) }
    self.modules = modules
  }

  deinit { for module in modules { p11_kit_module_finalize(module) } }

  /// A token in a slot of a module.
  struct Slot {
    let functions: CK_FUNCTION_LIST
    let slot: CK_SLOT_ID
    let information: CK_TOKEN_INFO
  }

  /// Returns the slot of the token that a URI names.
  func slot(of uri: borrowing TokenURI) throws(ProviderError) -> Slot {
    var found: [Slot] = []
    for module in modules {
      let functions = module.pointee
      var count: CK_ULONG = 0
      guard functions.C_GetSlotList(1, nil, &count) == CKR_OK else { continue }
      var slots = [CK_SLOT_ID](repeating: 0, count: Int(count))
      guard functions.C_GetSlotList(1, &slots, &count) == CKR_OK else { continue }
      for slot in slots.prefix(Int(count)) {
        var information = CK_TOKEN_INFO()
        guard functions.C_GetTokenInfo(slot, &information) == CKR_OK,
          p11_kit_uri_match_token_info(uri.uri, &information) == 1
        else { continue }
        found.append(Slot(functions: functions, slot: slot, information: information))
      }
    }
    guard let slot = found.first else {
      throw .missing("The token is not inserted. Insert it, or check the URI.")
    }
    guard found.count == 1 else {
      throw .failed("The URI names several tokens. Add serial= so that it names one.")
    }
    return slot
  }
}
