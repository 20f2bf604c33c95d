import ObjectVaultDriver
package import ObjectVaultKeys

/// The location of a vault's data.
package enum VaultPlace: Sendable {
  /// A permanent file, encrypted with a key.
  case file(VaultKey)
  /// A file that is removed with the vault, encrypted with a key that is never disclosed.
  case temporary(PrivateFolder, VaultKey)
  /// Memory, without a file.
  case memory

  package var isMemory: Bool { if case .memory = self { true } else { false } }

  /// The key that encrypts the file; `nil` in memory.
  var key: VaultKey? {
    switch self {
    case .file(let key), .temporary(_, let key): key
    case .memory: nil
    }
  }

  var folder: PrivateFolder? { if case .temporary(let folder, _) = self { folder } else { nil } }
}

extension VaultConfiguration {
  /// Throws `.invalidArgument` for a setting that only a permanent file can have.
  fileprivate func check(_ isRefused: Bool, _ what: String, _ place: VaultPlace) throws(VaultError)
  {
    guard isRefused else { return }
    throw VaultError(
      .invalidArgument,
      "A vault \(place.isMemory ? "in memory" : "in a temporary file") is always new and ends with "
        + "its last handle, so the configuration's \(what) has no effect on it. Do not set it.")
  }

  func validate(forVaultThatEnds place: VaultPlace) throws(VaultError) {
    try validate()
    try check(isReadOnly, "isReadOnly", place)
    try check(creation == .never, "creation", place)
    try check(upgradeBackup != nil, "upgradeBackup", place)
  }
}
