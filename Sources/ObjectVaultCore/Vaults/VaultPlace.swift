import ObjectVaultKeys

/// Where a vault is kept.
enum VaultPlace: Sendable {
  /// In a file that stays, under a key.
  case file(VaultKey)
  /// In a file that goes with the vault, under a key that nobody is told.
  case temporary(PrivateFolder, VaultKey)
  /// In no file.
  case memory

  var isMemory: Bool { if case .memory = self { true } else { false } }

  /// What encrypts the file; `nil` in memory.
  var key: VaultKey? {
    switch self {
    case .file(let key), .temporary(_, let key): key
    case .memory: nil
    }
  }

  var folder: PrivateFolder? { if case .temporary(let folder, _) = self { folder } else { nil } }
}

extension VaultConfiguration {
  /// - Throws: `.invalidArgument` for a setting out of range, or that only a file that stays can have.
  fileprivate func check(_ isRefused: Bool, _ what: String, _ place: VaultPlace) throws(VaultError)
  {
    guard isRefused else { return }
    throw VaultError(
      .invalidArgument,
      "A vault \(place.isMemory ? "in memory" : "in a temporary file") is new and ends with its last "
        + "handle: the configuration's \(what) means nothing for it. Leave that setting as it is.")
  }

  func validate(forVaultThatEnds place: VaultPlace) throws(VaultError) {
    try validate()
    try check(isReadOnly, "isReadOnly", place)
    try check(creation == .never, "creation", place)
    try check(keepsPreimage, "keepsPreimage", place)
  }
}
