import ObjectVaultEngine
import ObjectVaultKeys

/// How a file is encrypted, as far as it is no secret.
public struct CipherFacts: Sendable, Hashable {
  /// The cipher format: 1 to 4, named after the major version of SQLCipher that brought it.
  public var format: Int
  /// The size of a page in bytes.
  public var pageSize: Int
  /// Whether every page carries an authentication code, so that a changed page is an error.
  public var isAuthenticated = true
  /// The settings that differ from the format's own, as SQLCipher's pragmas name them, such as
  /// `cipher_hmac_pgno = be`. A vault has none.
  public var otherSettings: [String] = []
}

extension CipherFacts: CustomStringConvertible {
  init(_ scheme: CipherScheme, pageSize: Int) {
    self.init(
      format: scheme.format.rawValue, pageSize: pageSize, isAuthenticated: scheme.isSealed,
      otherSettings: scheme.otherSettings)
  }

  /// The format, the page size and the other settings, for people.
  public var description: String {
    let authentication = isAuthenticated ? [] : ["no page authentication"]
    let parts = ["cipher format \(format)", "pages of \(pageSize) bytes"]
    return (parts + otherSettings + authentication).joined(separator: ", ")
  }
}

/// How a file is encrypted, with its key: all that is needed to open it.
struct FileCipher: Sendable {
  let scheme: CipherScheme
  let pageSize: Int
  /// Stretched already, where it is from a passphrase.
  let rawKey: SharedSecret
  let salt: FileSalt
  /// Whether page 1 answers to the key as it stands in the file. Where it does not, a log or a
  /// journal beside the file is to mend it.
  var isFirstPageSealed = true

  var format: CipherFormat { scheme.format }

  var facts: CipherFacts { CipherFacts(scheme, pageSize: pageSize) }

  /// Opens a connection, with the functions that conditions use.
  func connect(
    _ path: String, _ mode: Connection.Mode, options: ConnectionOptions = ConnectionOptions()
  ) throws -> Connection {
    try rawKey.checkProcess()
    let specification = rawKey.withSecret { KeyDerivation.specification(key: $0, salt: salt) }
    do {
      let connection = try specification.withUnsafeBytes { key in
        try Connection(
          path: path, mode: mode, key: key,
          cipher: CipherSettings(scheme, pageSize: pageSize), options: options)
      }
      connection.expectConditions()
      return connection
    } catch let error as EngineError {
      guard !isFirstPageSealed, error.code == .notADatabase else { throw error }
      throw KeyError.damagedFirstPage(path)
    }
  }

  /// Whether `key` opens the file too.
  func isOpened(by key: ResolvedKey) throws -> Bool {
    if let given = key.salt, given != salt { return false }
    do throws(KeyError) {
      return try key.rawKey(for: scheme, salt: salt).isEqual(to: rawKey)
    } catch {
      if error.code == .keyringMismatch { return false }
      throw error
    }
  }

  /// What checks the pages of the file.
  func pageSeal() throws(KeyError) -> PageSeal {
    try rawKey.withSecret { rawKey throws(KeyError) in
      try PageSeal(scheme: scheme, pageSize: pageSize, rawKey: rawKey, salt: salt)
    }
  }

  /// Whether a first page, as it stands in a file, is sealed under this key and the file's salt.
  func sealsFirstPage(_ page: [UInt8]) throws(KeyError) -> Bool {
    guard page.count == pageSize, let salt = FileSalt(page.prefix(FileSalt.count)) else {
      return false
    }
    return try rawKey.withSecret { rawKey throws(KeyError) in
      let seal = try PageSeal(scheme: scheme, pageSize: pageSize, rawKey: rawKey, salt: salt)
      return page.withUnsafeBytes { seal.verify($0, number: 1) }
    }
  }
}

extension CipherSettings {
  /// What the engine must be told of a file. Its key is derived already.
  init(_ scheme: CipherScheme, pageSize: Int) {
    self.init(format: scheme.format.rawValue, pageSize: pageSize)
    usesHMAC = scheme.isSealed
    if let authentication = scheme.authentication {
      hmacPageNumberOrder = authentication.pageNumberOrder.rawValue
      hmacSaltMask = authentication.saltMask
      hmacIterations = authentication.rounds
    }
  }
}

extension FileCipher? {
  /// Opens a connection, with the functions that conditions use: in clear where there is no cipher.
  func connect(
    _ path: String, _ mode: Connection.Mode, options: ConnectionOptions = ConnectionOptions()
  ) throws -> Connection {
    if let self { return try self.connect(path, mode, options: options) }
    let connection = try Connection.plain(path: path, mode: mode, options: options)
    connection.expectConditions()
    return connection
  }
}

extension Connection {
  /// Has the functions that conditions use made known before the first statement that may call them.
  fileprivate func expectConditions() {
    makesFunctionsKnown = { connection throws(EngineError) in
      try ConditionFunctions.install(on: connection)
    }
  }
}
