/// An error of a vault: the failure, its subject, and the remedy.
///
/// Distinguish errors by ``code``; ``message`` is for people. Errors never contain keys or stored
/// values.
///
/// ```swift
/// do {
///   try vault.open()
/// } catch let error as VaultError where error.code == .wrongKey {
///   askAgain()
/// }
/// ```
public struct VaultError: Error, Sendable {
  /// The kind of failure.
  public var code: Code
  /// The failure, its subject, and the remedy as readable text.
  public var message: String
  /// Further causes to check, in separate sentences.
  ///
  /// ``message`` is complete without it.
  public var detail: String?
  /// The engine's extended result code, if the engine reported the failure.
  public var engineCode: Int32?
  /// The name of the class of the object that was rejected; `nil` for other errors.
  ///
  /// Set for `.duplicate`, `.constraint` and `.danglingReference`, and for `.invalidValue` if a value
  /// cannot be stored. It is the name of the table if the program has no store of its class.
  public var className: String?
  /// The Swift names of the properties of the violated constraint, in its order, or of the property
  /// whose value cannot be stored; empty if unknown.
  ///
  /// A composite object ID and a unique index over several properties have several names. A
  /// generated object ID is named `objectID`. For `.danglingReference` it is the name of the
  /// reference.
  public var propertyNames: [String] = []
  /// The position of the failure in a condition's text.
  public var location: TextLocation?
  /// The error that caused this one.
  public var underlying: (any Error)?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - message: The failure, its subject, and the remedy.
  ///   - engineCode: The engine's extended result code.
  ///   - location: The position of the failure in a condition's text.
  ///   - underlying: The error that caused this one.
  public init(
    _ code: Code, _ message: String, engineCode: Int32? = nil, location: TextLocation? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.engineCode = engineCode
    self.location = location
    self.underlying = underlying
  }

  /// A kind of failure.
  ///
  /// Later versions may add codes.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code.
    public let description: String
    init(_ name: String) { description = name }
  }

  /// A position in a condition's text.
  public struct TextLocation: Sendable, Hashable {
    /// The offset in UTF-8 bytes from the start of the text.
    public var offset: Int
    /// The line of the text, with a line below it that marks the position.
    public var excerpt: String

    /// Creates a location.
    ///
    /// - Parameters:
    ///   - offset: The offset in UTF-8 bytes from the start of the text.
    ///   - excerpt: The line of the text, with a line below it that marks the position.
    public init(offset: Int, excerpt: String) {
      self.offset = offset
      self.excerpt = excerpt
    }
  }
}

extension VaultError: CustomStringConvertible {
  /// The message and, for a condition, the position in its text.
  public var description: String {
    let text = [message, detail].compactMap(\.self).joined(separator: " ")
    guard let location else { return text }
    return "\(text)\n\(location.excerpt)"
  }
}

extension VaultError.Code {
  // Files and keys
  /// The file at the path is missing.
  public static let noSuchFile = Self("noSuchFile")
  /// The file is empty: it is not a vault yet.
  public static let empty = Self("empty")
  /// The key is missing or empty.
  public static let noKey = Self("noKey")
  /// The key is malformed, such as a raw key of a wrong length.
  public static let invalidKey = Self("invalidKey")
  /// The key does not open the file.
  public static let wrongKey = Self("wrongKey")
  /// The erasable key of the value was destroyed, so the value cannot be stored.
  public static let keyDestroyed = Self("keyDestroyed")
  /// The key's source (file, environment, descriptor, closure) could not be read.
  public static let keySourceUnreadable = Self("keySourceUnreadable")
  /// The vault's key is in a keyring, and the keyring next to the vault is missing.
  public static let keyringMissing = Self("keyringMissing")
  /// The keyring cannot be read.
  public static let keyringMalformed = Self("keyringMalformed")
  /// The keyring was changed without its key.
  public static let keyringTampered = Self("keyringTampered")
  /// The keyring is older than the one last used with the vault.
  public static let keyringRolledBack = Self("keyringRolledBack")
  /// The keyring belongs to another vault.
  public static let keyringMismatch = Self("keyringMismatch")
  /// The keyring has no slot of that name.
  public static let noSuchSlot = Self("noSuchSlot")
  /// The key provider of a keyring slot does not exist on this computer.
  public static let providerMissing = Self("providerMissing")
  /// The key provider of a keyring slot must be unlocked, connected or confirmed by a person first.
  public static let providerLocked = Self("providerLocked")
  /// The key provider of a keyring slot failed, or its answer is invalid.
  public static let providerFailed = Self("providerFailed")
  /// The file is an SQLite database that is not encrypted.
  public static let notEncrypted = Self("notEncrypted")
  /// The pages of the file have no authentication codes, and the call does not explicitly accept
  /// that.
  ///
  /// See ``VaultConfiguration/minimumCipherFormat`` and ``DatabaseFile``.
  public static let unauthenticated = Self("unauthenticated")
  /// The key is correct, but the call does not accept the file's cipher settings or cannot detect
  /// them.
  public static let unsupportedCipherSettings = Self("unsupportedCipherSettings")
  /// The file uses a cipher format that this engine cannot read.
  public static let newerCipherFormat = Self("newerCipherFormat")
  /// The file was written by a newer version of this library or of the application.
  public static let newerFormat = Self("newerFormat")
  /// The file ends before its last page.
  public static let truncated = Self("truncated")
  /// A page of the file does not authenticate, or the structure is broken.
  public static let damaged = Self("damaged")
  /// The engine in this process is not SQLCipher, or cannot be trusted.
  public static let unusableEngine = Self("unusableEngine")
  /// The file was in use for longer than the busy timeout, or a time limit of the server ended the
  /// statement.
  public static let busy = Self("busy")
  /// The file, the folder or the vault's configuration does not allow writing.
  public static let readOnly = Self("readOnly")
  /// The disk is full.
  public static let diskFull = Self("diskFull")
  /// A read or write failed.
  public static let inputOutput = Self("inputOutput")
  /// The file could not be created or opened: missing permissions, a missing folder, or a folder at
  /// the path.
  public static let cannotOpen = Self("cannotOpen")

  // Handles
  /// The vault was closed.
  public static let closed = Self("closed")
  /// The store's table or the vault's file was removed.
  public static let invalidated = Self("invalidated")
  /// The path now leads to another file.
  public static let replaced = Self("replaced")
  /// A hook of the configuration threw an error, which is `underlying`.
  public static let hookFailed = Self("hookFailed")

  // Classes and objects
  /// The class's description contradicts itself or the storage contract.
  public static let invalidClass = Self("invalidClass")
  /// The class in the file differs from the given class.
  public static let schemaMismatch = Self("schemaMismatch")
  /// The change of the class would lose stored data, or contradicts the objects in the file.
  public static let upgradeRefused = Self("upgradeRefused")
  /// The change of the class requires a rebuild of its table, which cannot run inside an
  /// application's transaction.
  public static let upgradeInTransaction = Self("upgradeInTransaction")
  /// The file was upgraded by a newer version of the application.
  public static let newerSchema = Self("newerSchema")
  /// The history lacks changes after the position, which were pruned or belong to another copy of
  /// the file.
  public static let historyIncomplete = Self("historyIncomplete")
  /// The vault has no class of that name.
  public static let noSuchClass = Self("noSuchClass")
  /// The registry has no vault under that name, or none for the class.
  public static let noSuchVault = Self("noSuchVault")
  /// The class has no property of that name.
  public static let noSuchProperty = Self("noSuchProperty")
  /// The object ID matches no stored object.
  public static let noSuchObject = Self("noSuchObject")
  /// The object has no object ID.
  public static let noObjectID = Self("noObjectID")
  /// The object is outside the partition of the store.
  public static let otherPartition = Self("otherPartition")
  /// The object was fetched without that property.
  public static let notLoaded = Self("notLoaded")
  /// The object ID, or the value of a unique property, is already stored.
  public static let duplicate = Self("duplicate")
  /// The value cannot be stored exactly, or does not match the property's type.
  public static let invalidValue = Self("invalidValue")
  /// A sum or an incremented number exceeds the range of its type.
  public static let overflow = Self("overflow")
  /// The change would leave a reference without its object.
  public static let danglingReference = Self("danglingReference")
  /// A reference of a remaining object denies the removal.
  public static let removalDenied = Self("removalDenied")
  /// The owned objects cannot be saved or loaded as they are.
  ///
  /// For example, two owners claim one object, or there are two objects for a single place.
  public static let ownership = Self("ownership")
  /// A constraint of the table rejects the change.
  public static let constraint = Self("constraint")

  // Conditions, searches and arguments
  /// The text of a condition or of a full-text search is invalid.
  public static let invalidCondition = Self("invalidCondition")
  /// An argument is outside the accepted range, or the call is not possible here.
  public static let invalidArgument = Self("invalidArgument")
  /// The engine lacks the module of the class's full-text index: its objects are read-only.
  public static let searchUnavailable = Self("searchUnavailable")

  // Transactions
  /// The wait would never end: two threads hold resources that the other waits for.
  public static let deadlock = Self("deadlock")
  /// The engine rolled back an enclosing transaction, which cannot continue.
  public static let transactionAborted = Self("transactionAborted")
  /// Another transaction changed the same objects at the same time. Nothing was stored; run the
  /// transaction again.
  ///
  /// Only a database on a server has such transactions.
  public static let conflict = Self("conflict")
  /// The connection to the server was lost, or the server did not answer in time. Nothing was
  /// stored; try again.
  ///
  /// Only a database on a server has a connection.
  public static let connectionLost = Self("connectionLost")
  /// The connection was lost during a commit, so whether the transaction was stored is unknown.
  ///
  /// Only a database on a server has such commits.
  public static let commitUnknown = Self("commitUnknown")
  /// The asynchronous operation was called inside a transaction.
  public static let asyncInTransaction = Self("asyncInTransaction")
  /// The operation was cancelled; none of its changes were stored.
  ///
  /// If the closure of an asynchronous `read` committed changes before, these are stored, and the
  /// message says so.
  public static let cancelled = Self("cancelled")
  /// The process is out of memory.
  public static let outOfMemory = Self("outOfMemory")
  /// The engine rejected a statement, for example because another program changed the table.
  public static let engineRefused = Self("engineRefused")
  /// An internal invariant was violated; please report it.
  public static let internalError = Self("internalError")
}
