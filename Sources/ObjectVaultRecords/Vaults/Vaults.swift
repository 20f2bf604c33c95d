public import ObjectVaultCore
import Synchronization

/// The vaults of a program by their names, each with the classes that belong to it.
///
/// ```swift
/// let vaults = Vaults.current
/// try vaults.register(at: "school.vault", key: key, classes: [Student.self, Course.self])
/// try vaults.register("private", at: "users/li.vault", key: ofLi, classes: [Note.self])
/// try vaults.start()
/// ```
///
/// The vault that is registered without a name, or, where none is, the first one, is the main one.
/// Registering touches no file; ``start()-swift.method`` does. All may be called from any thread.
public final class Vaults: Sendable {
  /// The vaults that records find theirs among.
  ///
  /// A test, or a part of a program, has others for itself by `Vaults.$current.withValue(Vaults()) { … }`,
  /// as every task-local value: child tasks have them too, detached tasks and queues do not.
  @TaskLocal public static var current = Vaults()

  /// The name of a vault that is registered without one.
  public static let mainName = "main"

  let registered = Mutex<[RegisteredVault]>([])

  /// No vaults.
  public init() {}

  // MARK: Registering

  /// Registers a vault with the classes that belong to it.
  ///
  /// - Parameters:
  ///   - name: Its name; ``mainName`` by default.
  ///   - vault: The vault, which only it is registered with.
  ///   - classes: The classes, each once. ``start()-swift.method`` makes their tables.
  /// - Throws: ``VaultError`` `.invalidArgument` for an empty name, for a name or a file that is
  ///   registered, and for a class that is registered with another vault and does not say by
  ///   ``Record/vaultName`` which is its own.
  public func register(
    _ name: String? = nil, _ vault: Vault, classes: [any Record.Type]
  ) throws {
    let new = RegisteredVault(
      name: name ?? Self.mainName, vault: vault, classes: RecordClasses(types: classes))
    guard !new.name.isEmpty else {
      throw VaultError(.invalidArgument, "A vault needs a name that is not empty, or none.")
    }
    try registered.withLock { registered in
      if registered.contains(where: { $0.name == new.name }) {
        throw VaultError(
          .invalidArgument,
          "There is a vault '\(new.name)' already. Register this one under another name, or use "
            + "`replace` to have another file under that one.")
      }
      try Self.check(vault, isNewAmong: registered[...])
      try new.classes.checkHomes(among: registered)
      registered.append(new)
    }
  }

  /// Registers the vault at a path with the classes that belong to it.
  ///
  /// - Parameters:
  ///   - name: Its name; ``mainName`` by default.
  ///   - path: The path of the file, which need not be there, nor its folder.
  ///   - key: What opens it.
  ///   - configuration: How it is opened.
  ///   - classes: The classes, each once.
  /// - Returns: The vault.
  /// - Throws: as ``register(_:_:classes:)`` and `Vault.init`.
  @discardableResult
  public func register(
    _ name: String? = nil, at path: String, key: VaultKey,
    configuration: VaultConfiguration = VaultConfiguration(), classes: [any Record.Type]
  ) throws -> Vault {
    let vault = try Vault(at: path, key: key, configuration: configuration)
    try register(name, vault, classes: classes)
    return vault
  }

  /// Forgets a vault and its classes, and closes it: stores and queries of it, which may be in use,
  /// fail with `.closed` from then on.
  ///
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
        "The file '\(path)' is that of the vault '\(other.name)' already. Register each file once, "
          + "with all its classes.")
    }
  }

  // MARK: Starting

  /// Opens every vault: makes its folder and its file where they are missing, and brings the tables of
  /// its classes to their forms.
  ///
  /// Vaults that were started are left alone; so more can be registered and started later. Without it,
  /// each file is made at its first use, in a folder that is there.
  ///
  /// - Throws: ``VaultError``: `.invalidArgument` where no vault is registered or one of them without a
  ///   class, `.noSuchVault` where a class is not registered with the vault that it names;
  ///   otherwise as `Vault.store(of:)`. Those before the one that failed are started.
  public func start() throws {
    for vault in try unstarted() {
      try vault.open()
      noteStart(of: vault)
    }
  }

  /// Opens every vault without blocking the caller's thread.
  ///
  /// - Throws: as the synchronous form.
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
        .invalidArgument, "There is no vault to start. Register one with its classes first.")
    }
    for vault in all {
      if vault.classes.types.isEmpty {
        throw VaultError(
          .invalidArgument,
          "The vault '\(vault.name)' is registered without a class, so nothing would be kept in it. "
            + "Name its classes when it is registered.")
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

  /// The names of the vaults in the order in which they were registered.
  public var names: [String] { registered.withLock { $0.map(\.name) } }

  /// The vault of a name.
  ///
  /// - Parameter name: The name; `nil` for the main vault.
  /// - Throws: ``VaultError`` `.noSuchVault`.
  public func vault(named name: String? = nil) throws -> Vault { try entry(named: name).vault }

  /// The classes that are registered with the vault of a name.
  ///
  /// - Throws: ``VaultError`` `.noSuchVault`.
  public func classes(of name: String? = nil) throws -> [any Record.Type] {
    try entry(named: name).classes.types
  }

  /// The classes that are registered with the vault at a path; none where no vault is.
  ///
  /// - Throws: ``VaultError`` `.invalidArgument` where it is no path.
  public func classes(at path: String) throws -> [any Record.Type] {
    let path = try Vault.canonical(path)
    let all = registered.withLock { $0 }
    return try all.first { try Vault.canonical($0.vault.path) == path }?.classes.types ?? []
  }

  /// The vault that a class belongs to.
  func home(of type: any Record.Type) throws -> MeantVault {
    MeantVault(try registered.withLock { try Self.home(of: type, among: $0) }, in: self)
  }

  /// The vault of a name for an operation of a class.
  func meant(by name: String, for type: any Record.Type) throws -> MeantVault {
    let found = try entry(named: name)
    guard found.classes.contains(type) else {
      throw VaultError(
        .noSuchVault,
        "Class '\(type)' is not registered with the vault '\(name)'. Name it among the classes of "
          + "that, too.")
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
        + (names.isEmpty ? "None is registered yet." : "There are \(names)."))
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
        "Class '\(type)' belongs to no vault. Register it with one; nothing that it inherits does.")
    }
    throw VaultError(
      .noSuchVault,
      "Class '\(type)' belongs to the vault '\(named)', which it is not registered with. Name it "
        + "among the classes of that.")
  }
}

extension RecordClasses {
  /// Sees that each class is here once, and has one vault that is its own.
  fileprivate func checkHomes(among registered: [RegisteredVault]) throws(VaultError) {
    for (index, type) in types.enumerated() {
      if types[..<index].contains(where: { $0 == type }) {
        throw VaultError(
          .invalidArgument, "Class '\(type)' is named twice for one vault. Name it once.")
      }
      guard type.vaultName == nil,
        let other = registered.first(where: { $0.classes.contains(type) })
      else { continue }
      throw VaultError(
        .invalidArgument,
        "Class '\(type)' is registered with the vault '\(other.name)' already. Give it a `vaultName` "
          + "that says which vault is its own, or register it with one only.")
    }
  }
}
