public import ObjectVaultCore
import Synchronization

/// The registered vaults of a program by name, each with its classes.
///
/// ```swift
/// let vaults = Vaults.current
/// try vaults.register(at: "school.vault", key: key, classes: [Student.self, Course.self])
/// try vaults.register("private", at: "users/li.vault", key: ofLi, classes: [Note.self])
/// try vaults.start()
/// ```
///
/// The main vault is the one registered without a name, or the first one if all have names.
/// Registering accesses no file; ``start()-swift.method`` does. All members may be used from any
/// thread.
public final class Vaults: Sendable {
  /// The vaults that records use.
  ///
  /// A test, or a part of a program, can use other vaults with
  /// `Vaults.$current.withValue(Vaults()) { … }`. As with every task-local value, child tasks
  /// inherit them, but detached tasks and queues do not.
  @TaskLocal public static var current = Vaults()

  /// The name of a vault that is registered without one.
  public static let mainName = "main"

  let registered = Mutex<[RegisteredVault]>([])

  /// Creates a registry without vaults.
  public init() {}

  // MARK: Registering

  /// Registers a vault with the classes that belong to it.
  ///
  /// - Parameters:
  ///   - name: The name of the vault; ``mainName`` by default.
  ///   - vault: The vault. Register each vault once.
  ///   - classes: The classes, each once. ``start()-swift.method`` creates their tables.
  /// - Throws: ``VaultError`` `.invalidArgument` for an empty name, for a name or a file that is
  ///   already registered, for a class that is listed twice, and for a class that is registered
  ///   with another vault and does not name its own vault by ``Record/vaultName``.
  public func register(
    _ name: String? = nil, _ vault: Vault, classes: [any Record.Type]
  ) throws {
    let new = RegisteredVault(
      name: name ?? Self.mainName, vault: vault, classes: RecordClasses(types: classes))
    guard !new.name.isEmpty else {
      throw VaultError(
        .invalidArgument, "The name of a vault must not be empty. Pass a name, or nil for no name.")
    }
    try registered.withLock { registered in
      if registered.contains(where: { $0.name == new.name }) {
        throw VaultError(
          .invalidArgument,
          "The vault '\(new.name)' is already registered. Register this one under another name, or "
            + "use `replace` to use another file under that name.")
      }
      try Self.check(vault, isNewAmong: registered[...])
      try new.classes.checkHomes(among: registered)
      registered.append(new)
    }
  }

  /// Registers the vault at a path with the classes that belong to it.
  ///
  /// - Parameters:
  ///   - name: The name of the vault; ``mainName`` by default.
  ///   - path: The path of the file. The file and its folder need not exist.
  ///   - key: The key that opens the file.
  ///   - configuration: The options for opening the file.
  ///   - classes: The classes, each once.
  /// - Returns: The registered vault.
  /// - Throws: The errors of ``register(_:_:classes:)`` and `Vault.init`.
  @discardableResult
  public func register(
    _ name: String? = nil, at path: String, key: VaultKey,
    configuration: VaultConfiguration = VaultConfiguration(), classes: [any Record.Type]
  ) throws -> Vault {
    let vault = try Vault(at: path, key: key, configuration: configuration)
    try register(name, vault, classes: classes)
    return vault
  }

  /// Unregisters a vault with its classes, and closes it.
  ///
  /// Stores and queries of the vault that are in use fail with `.closed` from then on. Operations in
  /// progress on other threads continue as after `Vault.close()`.
  ///
  /// - Parameter name: The name of the vault, or `nil` for the main one.
  /// - Throws: ``VaultError`` `.noSuchVault`.
  public func unregister(_ name: String? = nil) throws {
    let found = try entry(named: name)
    let isThere = registered.withLock { registered in
      let count = registered.count
      registered.removeAll { $0.vault === found.vault }
      return registered.count < count
    }
    if isThere { found.vault.close() }
  }

  static func check(
    _ vault: Vault, isNewAmong registered: ArraySlice<RegisteredVault>
  ) throws(VaultError) {
    let path = try Vault.canonical(vault.path)
    for other in registered where try Vault.canonical(other.vault.path) == path {
      throw VaultError(
        .invalidArgument,
        "The file '\(path)' already belongs to the vault '\(other.name)'. Register each file once, "
          + "with all its classes.")
    }
  }

  // MARK: Starting

  /// Opens every vault, and creates missing folders, files and tables.
  ///
  /// The tables of the registered classes are brought to the form of their classes. Vaults that are
  /// already started are skipped, so you can register and start more of them later. Without this
  /// call, each file is created at its first use, in a folder that must exist.
  ///
  /// - Throws: ``VaultError``: `.invalidArgument` if no vault is registered or one of them has no
  ///   class; `.noSuchVault` if a class is not registered with the vault that it names; otherwise
  ///   the errors of `Vault.store(of:)`. The vaults before the one that failed are started.
  public func start() throws {
    for vault in try unstarted() {
      try vault.open()
      noteStart(of: vault)
    }
  }

  /// Opens every vault without blocking the caller's thread.
  ///
  /// - Throws: The errors of the synchronous form.
  public func start() async throws {
    for vault in try unstarted() {
      try await vault.open()
      noteStart(of: vault)
    }
  }

  private func unstarted() throws -> [RegisteredVault] {
    let all = registered.withLock { $0 }
    guard !all.isEmpty else {
      throw VaultError(
        .invalidArgument,
        "No vault is registered, so none can be started. Register one with its classes first.")
    }
    for vault in all {
      if vault.classes.types.isEmpty {
        throw VaultError(
          .invalidArgument,
          "The vault '\(vault.name)' is registered without a class, so nothing can be stored in "
            + "it. Pass its classes when you register it.")
      }
      for type in vault.classes.types { _ = try Self.home(of: type, among: all) }
    }
    return all.filter { !$0.isStarted }
  }

  private func noteStart(of vault: RegisteredVault) {
    registered.withLock { registered in
      for index in registered.indices where registered[index].vault === vault.vault {
        registered[index].isStarted = true
      }
    }
  }

  // MARK: Finding

  /// The names of the vaults in the order of registration.
  public var names: [String] { registered.withLock { $0.map(\.name) } }

  /// Returns the vault with a name.
  ///
  /// - Parameter name: The name, or `nil` for the main vault.
  /// - Returns: The registered vault.
  /// - Throws: ``VaultError`` `.noSuchVault`.
  public func vault(named name: String? = nil) throws -> Vault { try entry(named: name).vault }

  /// Returns the classes that are registered with a vault.
  ///
  /// - Parameter name: The name of the vault, or `nil` for the main one.
  /// - Returns: The classes in the order of registration.
  /// - Throws: ``VaultError`` `.noSuchVault`.
  public func classes(of name: String? = nil) throws -> [any Record.Type] {
    try entry(named: name).classes.types
  }

  /// Returns the classes that are registered with the vault at a path.
  ///
  /// - Parameter path: The path of the vault's file.
  /// - Returns: The classes, or an empty array if no vault is registered for the path.
  /// - Throws: ``VaultError`` `.invalidArgument` if the path is invalid.
  public func classes(at path: String) throws -> [any Record.Type] {
    let path = try Vault.canonical(path)
    let all = registered.withLock { $0 }
    return try all.first { try Vault.canonical($0.vault.path) == path }?.classes.types ?? []
  }

  /// Returns the vault that a class belongs to.
  func home(of type: any Record.Type) throws -> MeantVault {
    MeantVault(try registered.withLock { try Self.home(of: type, among: $0) }, in: self)
  }

  /// Returns the vault with a name for an operation on a class.
  func meant(by name: String, for type: any Record.Type) throws -> MeantVault {
    let found = try entry(named: name)
    guard found.classes.contains(type) else {
      throw VaultError(
        .noSuchVault,
        "Class '\(type)' is not registered with the vault '\(name)'. Add it to the classes of that "
          + "vault too.")
    }
    return MeantVault(found, in: self)
  }

  func entry(named name: String?) throws -> RegisteredVault {
    try registered.withLock { try Self.entry(named: name, among: $0) }
  }

  private static func entry(
    named name: String?, among all: [RegisteredVault]
  ) throws(VaultError) -> RegisteredVault {
    let wanted = name ?? mainName
    if let found = all.first(where: { $0.name == wanted }) ?? (name == nil ? all.first : nil) {
      return found
    }
    guard let name else {
      throw VaultError(.noSuchVault, "No vault is registered. Register one with its classes first.")
    }
    let names = all.map { "'\($0.name)'" }.joined(separator: ", ")
    throw VaultError(
      .noSuchVault,
      "No vault is registered as '\(name)'. "
        + (names.isEmpty ? "Register one with its classes first." : "Use \(names)."))
  }

  private static func home(
    of type: any Record.Type, among all: [RegisteredVault]
  ) throws(VaultError) -> RegisteredVault {
    let named = type.vaultName
    if let home = all.first(where: { $0.classes.contains(type) && $0.name == named ?? $0.name }) {
      return home
    }
    guard let named else {
      throw VaultError(
        .noSuchVault,
        "Class '\(type)' does not belong to a vault. Register it with one; the registration of its "
          + "superclass does not apply to it.")
    }
    throw VaultError(
      .noSuchVault,
      "Class '\(type)' belongs to the vault '\(named)', but is not registered with it. Add it to "
        + "the classes of that vault.")
  }
}

extension RecordClasses {
  /// Throws if a class is listed twice or has no unambiguous vault of its own.
  fileprivate func checkHomes(among registered: [RegisteredVault]) throws(VaultError) {
    for (index, type) in types.enumerated() {
      if types[..<index].contains(where: { $0 == type }) {
        throw VaultError(
          .invalidArgument, "Class '\(type)' is listed twice for one vault. List it once.")
      }
      guard type.vaultName == nil,
        let other = registered.first(where: { $0.classes.contains(type) })
      else { continue }
      throw VaultError(
        .invalidArgument,
        "Class '\(type)' is already registered with the vault '\(other.name)'. Set its `vaultName` "
          + "to choose its vault, or register it with only one.")
    }
  }
}
