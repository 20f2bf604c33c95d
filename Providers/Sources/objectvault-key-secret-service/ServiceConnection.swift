internal import CLibsecret
internal import KeyProviderProgram

/// A connection to the Secret Service of the session.
struct ServiceConnection: ~Copyable {
  private let service: UnsafeMutablePointer<CLibsecret.SecretService>

  /// Connects to the service, which the system may start.
  init() throws(ProviderError) {
    var error: UnsafeMutablePointer<GError>?
    guard let service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION, nil, &error) else {
      throw .missing(
        "No keyring service runs in this session: \(text(of: &error)). Log in to a desktop, or "
          + "start a service such as gnome-keyring-daemon.")
    }
    self.service = service
  }

  deinit { g_object_unref(service) }

  /// Stores a secret as an item with an ID.
  func store(
    _ secret: borrowing ProtectedBytes, id: String, in alias: String, _ request: ProviderRequest
  ) throws(ProviderError) {
    var error: UnsafeMutablePointer<GError>?
    guard
      let collection = secret_collection_for_alias_sync(
        service, alias, SECRET_COLLECTION_NONE, nil, &error)
    else {
      throw error == nil
        ? .missing(
          "The keyring service has no collection '\(alias)'. Create it, or select another.")
        : .failed("The keyring service failed: \(text(of: &error)). Try again.")
    }
    defer { g_object_unref(collection) }
    if secret_collection_get_locked(collection) != 0 {
      try unlock(collection, named: alias, request)
    }
    let value = secret.withUnsafeBytes { bytes in
      secret_value_new(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
        "application/octet-stream")
    }
    defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
    let attributes = attributes(of: id)
    defer { g_hash_table_unref(attributes) }
    guard
      let item = secret_item_create_sync(
        collection, nil, attributes, "ObjectVault: \(request.label)", value,
        SECRET_ITEM_CREATE_NONE, nil, &error)
    else {
      throw .failed("The keyring service stored no item: \(text(of: &error)). Try again.")
    }
    g_object_unref(item)
  }

  /// Returns the secret of the item with an ID.
  func secret(
    of id: String, _ request: ProviderRequest
  ) throws(ProviderError) -> ProtectedBytes {
    let attributes = attributes(of: id)
    defer { g_hash_table_unref(attributes) }
    var flags = SECRET_SEARCH_LOAD_SECRETS.rawValue
    if request.isInteractive { flags |= SECRET_SEARCH_UNLOCK.rawValue }
    var error: UnsafeMutablePointer<GError>?
    let found = secret_service_search_sync(
      service, nil, attributes, SecretSearchFlags(flags), nil, &error)
    guard error == nil else {
      throw .failed("The keyring service did not search: \(text(of: &error)). Try again.")
    }
    guard let found, let data = found.pointee.data else {
      throw .missing(
        "The keyring service has no item with the attribute key=\(id). Log in as the user who "
          + "added the slot.")
    }
    defer {
      g_object_unref(data)
      g_list_free(found)
    }
    let item = data.assumingMemoryBound(to: SecretItem.self)
    guard secret_item_get_locked(item) == 0 else {
      throw .locked("The collection of the item is locked. Unlock the keyring of the desktop.")
    }
    guard let value = secret_item_get_secret(item) else {
      throw .failed("The keyring service returned no secret. Try again.")
    }
    defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
    var count: gsize = 0
    let start = secret_value_get(value, &count)
    return ProtectedBytes(copying: UnsafeRawBufferPointer(start: start, count: Int(count)))
  }

  private func unlock(
    _ collection: UnsafeMutablePointer<SecretCollection>, named alias: String,
    _ request: ProviderRequest
  ) throws(ProviderError) {
    if request.isInteractive {
      let list = g_list_append(nil, collection)
      defer { g_list_free(list) }
      if secret_service_unlock_sync(service, list, nil, nil, nil) > 0 { return }
    }
    throw .locked("The collection '\(alias)' is locked. Unlock the keyring of the desktop.")
  }

  private func attributes(of id: String) -> OpaquePointer? {
    let table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    g_hash_table_insert(table, g_strdup("application"), g_strdup("objectvault"))
    g_hash_table_insert(table, g_strdup("key"), g_strdup(id))
    return table
  }
}

/// Returns the message of an error and frees the error.
private func text(of error: inout UnsafeMutablePointer<GError>?) -> String {
  defer { g_clear_error(&error) }
  return error.map { String(cString: $0.pointee.message) } ?? "no reason is known"
}
