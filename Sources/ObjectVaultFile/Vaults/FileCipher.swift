import ObjectVaultDriver
package import ObjectVaultEngine
public import ObjectVaultKeys

/// The public encryption parameters of a file, without secrets.
public struct CipherInfo: Sendable, Hashable {
  /// The cipher format, 1 to 4, named after the SQLCipher major version that introduced it.
  public var format: Int
  /// The page size in bytes.
  public var pageSize: Int
  /// Whether every page carries an authentication code, so that a changed page is an error.
  public var isAuthenticated = true
  /// The settings that differ from the defaults of the format.
  ///
  /// They are named as in SQLCipher's pragmas, such as `cipher_hmac_pgno = be`. A vault has none.
  public var otherSettings: [String] = []
  /// The form of the first bytes of the file.
  public var header: FileHeader = .encrypted
}

extension CipherInfo: CustomStringConvertible {
  package init(_ scheme: CipherScheme, pageSize: Int) {
    self.init(
      format: scheme.format.rawValue, pageSize: pageSize, isAuthenticated: scheme.isSealed,
      otherSettings: scheme.otherSettings, header: scheme.header)
  }

  /// A readable text with the format, the page size and the other settings.
  public var description: String {
    let parts = ["cipher format \(format)", "pages of \(pageSize) bytes"]
    let header = header == .plaintext ? ["plaintext header"] : []
    let authentication = isAuthenticated ? [] : ["no page authentication"]
    return (parts + otherSettings + header + authentication).joined(separator: ", ")
  }
}

/// The encryption parameters of a file together with its key: everything needed to open it.
package struct FileCipher: Sendable {
  package let scheme: CipherScheme
  package let pageSize: Int
  /// The derived key; a passphrase is already stretched.
  package let rawKey: SharedSecret
  package let salt: FileSalt
  /// Whether page 1, as stored in the file, is authenticated by the key.
  ///
  /// If not, a log or journal next to the file is expected to repair it.
  var isFirstPageSealed = true

  package var format: CipherFormat { scheme.format }
  /// The scheme without settings that differ from the defaults of the format.
  package var standardScheme: CipherScheme { CipherScheme(format, header: scheme.header) }

  package var info: CipherInfo { CipherInfo(scheme, pageSize: pageSize) }

  /// Opens a connection that supports the functions of conditions.
  package func connect(
    _ path: String, _ mode: Connection.Mode, options: ConnectionOptions = ConnectionOptions()
  ) throws -> Connection {
    try rawKey.checkProcess()
    let specification = rawKey.withSecret { KeyDerivation.specification(key: $0, salt: salt) }
    do {
      let connection = try LeftoverFile.leavingUsable(besideFile: path) {
        try specification.withUnsafeBytes { key in
          try Connection(
            path: path, mode: mode, key: key,
            cipher: CipherSettings(scheme, pageSize: pageSize), options: options)
        }
      }
      connection.expectConditions()
      return connection
    } catch let error as DriverError {
      guard !isFirstPageSealed, error.code == .notADatabase else { throw error }
      throw KeyError.damagedFirstPage(path)
    }
  }

  /// Returns whether `key` also opens the file.
  func isOpened(by key: ResolvedKey) throws -> Bool {
    if let given = key.salt, given != salt { return false }
    do throws(KeyError) {
      return try key.rawKey(for: scheme, salt: salt).isEqual(to: rawKey)
    } catch {
      if error.code == .keyringMismatch { return false }
      throw error
    }
  }

  /// Returns the authenticator of the file's pages.
  package func pageSeal() throws(KeyError) -> PageSeal {
    try rawKey.withSecret { rawKey throws(KeyError) in
      try PageSeal(scheme: scheme, pageSize: pageSize, rawKey: rawKey, salt: salt)
    }
  }

  /// Returns whether a first page, as stored in a file, is authenticated by this key and the file's
  /// salt.
  ///
  /// A plaintext header must be valid, and the salt is then the one of the key.
  package func sealsFirstPage(_ page: [UInt8]) throws(KeyError) -> Bool {
    guard page.count == pageSize, let stored = FileSalt(page.prefix(FileSalt.count)),
      hasValidHeader(page)
    else { return false }
    let salt = scheme.header == .plaintext ? salt : stored
    return try rawKey.withSecret { rawKey throws(KeyError) in
      let seal = try PageSeal(scheme: scheme, pageSize: pageSize, rawKey: rawKey, salt: salt)
      return page.withUnsafeBytes { seal.verify($0, number: 1) }
    }
  }
}

extension FileCipher {
  /// Returns whether the plaintext header of a first page is valid; `true` for an encrypted header.
  ///
  /// - Parameter page: Page 1 as it is in the file, a log or a journal.
  /// - Returns: Whether every field has a possible value.
  func hasValidHeader(_ page: [UInt8]) -> Bool {
    guard scheme.header == .plaintext else { return true }
    return rawKey.withSecret { rawKey in
      page.withUnsafeBytes {
        $0.count == pageSize
          && DatabaseHeader(decrypting: $0, scheme: scheme, rawKey: rawKey) != nil
      }
    }
  }
}

extension CipherSettings {
  /// Creates the engine's settings for a file with an already derived key.
  package init(_ scheme: CipherScheme, pageSize: Int) {
    self.init(format: scheme.format.rawValue, pageSize: pageSize)
    usesHMAC = scheme.isSealed
    hasPlaintextHeader = scheme.header == .plaintext
    if let authentication = scheme.authentication {
      hmacPageNumberOrder = authentication.pageNumberOrder.rawValue
      hmacSaltMask = authentication.saltMask
      hmacIterations = authentication.rounds
    }
  }
}

extension FileCipher? {
  /// Opens a connection that supports the functions of conditions; unencrypted if the cipher is
  /// `nil`.
  package func connect(
    _ path: String, _ mode: Connection.Mode, options: ConnectionOptions = ConnectionOptions()
  ) throws -> Connection {
    if let self { return try self.connect(path, mode, options: options) }
    let connection = try LeftoverFile.leavingUsable(besideFile: path) {
      try Connection.plain(path: path, mode: mode, options: options)
    }
    connection.expectConditions()
    return connection
  }
}

extension Connection {
  /// Registers the functions of conditions before the first statement that may call them.
  fileprivate func expectConditions() {
    makesFunctionsKnown = { connection throws(DriverError) in
      try VaultFunctions.install(on: connection)
    }
  }
}
