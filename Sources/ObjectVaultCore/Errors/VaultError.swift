/// What went wrong, to what, and what to do about it.
///
/// Callers tell errors apart by ``code``; ``message`` is for people. Neither keys nor stored
/// values ever stand in an error.
public struct VaultError: Error, Sendable {
  /// What kind of failure it is.
  public var code: Code
  /// What happened, to what, and how to mend it.
  public var message: String
  /// Further causes to check, in sentences of their own. ``message`` is complete without it.
  public var detail: String?
  /// The engine's extended result code, where the engine reported the failure.
  public var engineCode: Int32?
  /// The name of the class whose object a constraint rejects; `nil` for other errors.
  ///
  /// For `.duplicate`, `.constraint` and `.danglingReference`. The name of the table if the program has
  /// no store of its class.
  public var className: String?
  /// The names in Swift of the properties that a constraint is about, in its order; empty if they are
  /// not known.
  ///
  /// Several for a composite objectID and a unique index over several properties. `objectID` for a
  /// generated one. The name of the reference for `.danglingReference`.
  public var propertyNames: [String] = []
  /// Where in a condition's text the failure lies.
  public var location: TextLocation?
  /// The error this one was made from.
  public var underlying: (any Error)?

  /// Makes an error.
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

  /// A kind of failure. More may come in later versions.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code.
    public let description: String
    init(_ name: String) { description = name }
  }

  /// A place in a condition's text.
  public struct TextLocation: Sendable, Hashable {
    /// The offset in UTF-8 bytes from the start of the text.
    public var offset: Int
    /// The text's line with a line below it that points at the place.
    public var excerpt: String

    /// Names a place.
    public init(offset: Int, excerpt: String) {
      self.offset = offset
      self.excerpt = excerpt
    }
  }
}

extension VaultError: CustomStringConvertible {
  /// The message, and for a condition the place in its text.
  public var description: String {
    let text = [message, detail].compactMap(\.self).joined(separator: " ")
    guard let location else { return text }
    return "\(text)\n\(location.excerpt)"
  }
}

extension VaultError.Code {
  // Files and keys
  /// There is no file at the path.
  public static let noSuchFile = Self("noSuchFile")
  /// The file has no content: it is not a vault yet.
  public static let empty = Self("empty")
  /// No key was given, or an empty one.
  public static let noKey = Self("noKey")
  /// The key is not of a form that can be one: a raw key of a wrong length, say.
  public static let invalidKey = Self("invalidKey")
  /// The key does not open the file.
  public static let wrongKey = Self("wrongKey")
  /// The key's source (file, environment, descriptor, closure) could not be read.
  public static let keySourceUnreadable = Self("keySourceUnreadable")
  /// The vault's key is in a keyring, and there is none beside the vault.
  public static let keyringMissing = Self("keyringMissing")
  /// The keyring cannot be read.
  public static let keyringMalformed = Self("keyringMalformed")
  /// Someone changed the keyring who does not hold its key.
  public static let keyringTampered = Self("keyringTampered")
  /// The keyring is older than the one that the vault was last used with.
  public static let keyringRolledBack = Self("keyringRolledBack")
  /// The keyring belongs to another vault.
  public static let keyringMismatch = Self("keyringMismatch")
  /// The keyring has no slot of that name.
  public static let noSuchSlot = Self("noSuchSlot")
  /// The file is an SQLite database that is not encrypted.
  public static let notEncrypted = Self("notEncrypted")
  /// The pages of the file carry no authentication codes, and the call does not name that:
  /// ``VaultConfiguration/minimumCipherFormat``, ``DatabaseFile``.
  public static let unauthenticated = Self("unauthenticated")
  /// The key is right, but the file's cipher settings are none that the call accepts, or none that
  /// can be found out.
  public static let unsupportedCipherSettings = Self("unsupportedCipherSettings")
  /// The file uses a cipher format that this engine cannot read.
  public static let newerCipherFormat = Self("newerCipherFormat")
  /// The file was written by a newer version of this library or of the application.
  public static let newerFormat = Self("newerFormat")
  /// The file ends before its last page.
  public static let truncated = Self("truncated")
  /// A page of the file does not authenticate, or the structure is broken.
  public static let damaged = Self("damaged")
  /// The engine in this process is not SQLCipher, or not one that can be trusted.
  public static let unusableEngine = Self("unusableEngine")
  /// Another process holds the file longer than the busy timeout.
  public static let busy = Self("busy")
  /// The file, the folder or the vault's configuration does not allow writing.
  public static let readOnly = Self("readOnly")
  /// There is no room left on the disk.
  public static let diskFull = Self("diskFull")
  /// Reading or writing failed.
  public static let inputOutput = Self("inputOutput")
  /// The file could not be created or opened: rights, a missing folder, a folder in its place.
  public static let cannotOpen = Self("cannotOpen")

  // Handles
  /// The vault was closed.
  public static let closed = Self("closed")
  /// The store's table or the vault's file was removed.
  public static let invalidated = Self("invalidated")
  /// Another file stands at the path now.
  public static let replaced = Self("replaced")
  /// A hook of the configuration refused a connection; `underlying` is what it threw.
  public static let hookFailed = Self("hookFailed")

  // Classes and objects
  /// The class's description contradicts itself or the storage contract.
  public static let invalidClass = Self("invalidClass")
  /// The class in the file differs from the class given.
  public static let schemaMismatch = Self("schemaMismatch")
  /// The class was changed in a way that would lose something of what is stored, or that the objects
  /// in the file contradict.
  public static let upgradeRefused = Self("upgradeRefused")
  /// The class was changed in a way that needs its table made anew, which no transaction of the
  /// application's can hold.
  public static let upgradeInTransaction = Self("upgradeInTransaction")
  /// The file was upgraded by a newer version of the application.
  public static let newerSchema = Self("newerSchema")
  /// The vault has no class of that name.
  public static let noSuchClass = Self("noSuchClass")
  /// No vault is registered under that name, or none for the class.
  public static let noSuchVault = Self("noSuchVault")
  /// The class has no property of that name.
  public static let noSuchProperty = Self("noSuchProperty")
  /// No stored object has that objectID.
  public static let noSuchObject = Self("noSuchObject")
  /// The object has no objectID.
  public static let noObjectID = Self("noObjectID")
  /// The object is not of the partition that the store is limited to.
  public static let otherPartition = Self("otherPartition")
  /// The object was fetched without that property.
  public static let notLoaded = Self("notLoaded")
  /// An object with that objectID, or with that value of a unique property, is stored already.
  public static let duplicate = Self("duplicate")
  /// A value that the file cannot keep exactly, or that is not of the property's type.
  public static let invalidValue = Self("invalidValue")
  /// A sum, or a number that was to be increased, is beyond those that the type has.
  public static let overflow = Self("overflow")
  /// A reference would be left without the object that it refers to.
  public static let danglingReference = Self("danglingReference")
  /// An object that would stay forbids that the one it refers to is removed.
  public static let removalDenied = Self("removalDenied")
  /// Owned objects that cannot be saved or loaded as they are: one claimed by two owners, say, or
  /// two where there is room for one.
  public static let ownership = Self("ownership")
  /// A constraint of the table forbids the change.
  public static let constraint = Self("constraint")

  // Conditions, searches and arguments
  /// The text of a condition or of a search for words cannot be read.
  public static let invalidCondition = Self("invalidCondition")
  /// An argument is outside what the call takes.
  public static let invalidArgument = Self("invalidArgument")
  /// The engine lacks the module that keeps the class's index of words: its objects can be read only.
  public static let searchUnavailable = Self("searchUnavailable")

  // Transactions
  /// Waiting would never end: two threads hold what the other waits for.
  public static let deadlock = Self("deadlock")
  /// An enclosing transaction was rolled back by the engine; nothing more can be done in it.
  public static let transactionAborted = Self("transactionAborted")
  /// An asynchronous operation was called inside a transaction.
  public static let asyncInTransaction = Self("asyncInTransaction")
  /// The operation was cancelled; nothing of it was kept.
  public static let cancelled = Self("cancelled")
  /// Memory ran out.
  public static let outOfMemory = Self("outOfMemory")
  /// The engine refused a statement: the table was changed by somebody else, say.
  public static let engineRefused = Self("engineRefused")
  /// Something that must not happen happened; please report it.
  public static let internalError = Self("internalError")
}
