internal import Foundation

/// The keyring file next to a vault, `VAULT.keyring`, and its spare copy, `VAULT.keyring~`.
///
/// Both have mode 0600 and the same generation. The spare copy is written and synced to disk first,
/// so one of them is complete at every moment. It is never an older version, which would restore
/// removed slots.
package struct KeyringFile: Sendable {
  /// The path of the keyring.
  package let path: String
  /// The path of the spare copy.
  package var sparePath: String { path + "~" }

  /// The symbolic link that leads to the keyring, if the given path is one.
  ///
  /// ``path`` is the destination of the link. If a new keyring replaced the link, the old keyring
  /// would remain at the destination with its slots.
  private let link: String?
  /// The time to wait for another process that changes keyrings in the folder.
  private let lockTimeout: Duration

  /// Creates the file at a path, or at the destination of a symbolic link there.
  package init(at path: String) { self.init(at: path, lockTimeout: .seconds(10)) }

  /// Creates the file at a path, or at the destination of a symbolic link there.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - lockTimeout: The time to wait for another process that changes keyrings in the folder.
  package init(at path: String, lockTimeout: Duration) {
    self.path = Self.followed(path)
    link = self.path == path ? nil : path
    self.lockTimeout = lockTimeout
  }

  /// Creates the file for the keyring next to a vault.
  package init(besideVault path: String) { self.init(at: path + ".keyring") }

  /// Returns the destination of a chain of links, which need not exist.
  private static func followed(_ path: String) -> String {
    var path = path
    // The maximum number of links that the system follows.
    for _ in 0..<40 {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &buffer, buffer.count)
      guard count > 0, count < buffer.count else { break }
      let target = String(
        decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
      path = target.hasPrefix("/") ? target : folder + target
    }
    return path
  }

  /// Whether the keyring or at least its spare copy exists.
  package var exists: Bool { access(path, F_OK) == 0 || access(sparePath, F_OK) == 0 }

  /// The error for a missing keyring.
  package var missing: KeyError { Self.missing(path) }

  private static func missing(_ path: String) -> KeyError {
    KeyError(
      .keyringMissing,
      "The keyring '\(path)' is missing, and the vault cannot be opened without it. Restore it "
        + "from a backup, or specify its path.")
  }

  /// A keyring that was read from a file.
  package struct Contents: Sendable {
    package let keyring: Keyring
    /// The reason why the spare copy was read instead of the keyring; `nil` if it was not.
    package let spareReason: String?
  }

  /// Reads the keyring, or its spare copy if the keyring is unreadable.
  ///
  /// - Returns: The keyring.
  /// - Throws: `keyringMissing`, `keyringMalformed`, `keyringNewer`.
  package func read() throws(KeyError) -> Contents {
    do throws(KeyError) {
      return Contents(keyring: try Self.read(path), spareReason: nil)
    } catch {
      // The file of a newer version is intact, so an old copy must not replace it.
      if error.code == .keyringNewer { throw error }
      guard let spare = try? Self.read(sparePath) else { throw error }
      return Contents(keyring: spare, spareReason: error.message)
    }
  }

  /// Reads and opens the keyring, or its spare copy if that fails.
  ///
  /// The spare copy is used if the keyring is unreadable or fails authentication.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - slot: The name of the slot, if known.
  /// - Returns: The open keyring, and the reason if the spare copy was used.
  /// - Throws: `KeyError`.
  package func open(
    with secret: SlotSecret, slot: String? = nil
  ) throws(KeyError) -> (keyring: OpenKeyring, spareReason: String?) {
    let contents = try read()
    do throws(KeyError) {
      return (try contents.keyring.opened(with: secret, slot: slot), contents.spareReason)
    } catch {
      guard error.code == .keyringTampered, contents.spareReason == nil,
        let spare = try? Self.read(sparePath), spare != contents.keyring,
        let opened = try? spare.opened(with: secret, slot: slot)
      else { throw error }
      return (opened, error.message)
    }
  }

  /// Replaces the stored keyring atomically: first the spare copy, then the keyring.
  ///
  /// Each is written to a new file, synced to disk and renamed.
  ///
  /// - Parameters:
  ///   - keyring: The new keyring.
  ///   - previous: The generation that the keyring was derived from; `nil` for a new keyring.
  ///   - isSpareInUse: Whether the keyring was derived from the spare copy, because the stored
  ///     keyring failed authentication. Its generation then means nothing.
  /// - Throws: `keyringChanged` if another process changed the keyring first; `keyringUnwritable`.
  package func store(
    _ keyring: Keyring, replacing previous: UInt64?, isSpareInUse: Bool = false
  ) throws(KeyError) {
    let json = try keyring.json()
    let folder = try Folder(of: path)
    defer { folder.close() }
    try folder.lock(within: lockTimeout)
    // Each change writes the spare copy first, so it shows every change.
    let found = try isSpareInUse ? Self.read(sparePath) : exists ? read().keyring : nil
    guard found?.generation == previous else {
      guard previous == nil else { throw changed }
      throw KeyError(
        .keyringChanged,
        "The keyring '\(path)' already exists. Remove it only if no vault needs it.")
    }
    try write(json, insteadOf: found, in: folder)
  }

  /// Stores a new keyring in place of one that was created for a file that was never finished.
  ///
  /// That keyring is not authenticated, so the new one does not continue its generation.
  ///
  /// - Parameters:
  ///   - keyring: The new keyring.
  ///   - unfinished: The stored keyring.
  ///   - isRetired: Whether the stored keyring is retired first, because its file may exist
  ///     elsewhere.
  /// - Throws: `keyringChanged` if another process changed the keyring first; `keyringUnwritable`.
  package func store(
    _ keyring: Keyring, insteadOf unfinished: Keyring, isRetired: Bool
  ) throws(KeyError) {
    let json = try keyring.json()
    let folder = try Folder(of: path)
    defer { folder.close() }
    try folder.lock(within: lockTimeout)
    guard exists, try read().keyring == unfinished else { throw changed }
    if isRetired { try moveAside() }
    try write(json, insteadOf: unfinished, in: folder)
  }

  /// The error for a keyring that another process changed.
  package var changed: KeyError {
    KeyError(
      .keyringChanged,
      "Another process changed the keyring '\(path)' in the meantime. Try again.")
  }

  /// Replaces both files of the keyring, and restores the former keyring if that fails.
  private func write(
    _ json: [UInt8], insteadOf found: Keyring?, in folder: Folder
  ) throws(KeyError) {
    let place = Self.inode(of: path)
    let owner = owner
    var written = [sparePath]
    do throws(KeyError) {
      try Self.write(json, to: sparePath, of: owner)
      try folder.sync()
      try Self.write(json, to: path, of: owner) { () throws(KeyError) in
        guard Self.inode(of: path) == place else {
          throw KeyError(
            .keyringChanged,
            "Another file was moved to '\(path)' in the meantime and was left unchanged. Try again."
          )
        }
      }
      written.append(path)
      try folder.sync()
    } catch {
      // The caller learns that nothing changed. The change must not appear then, neither now nor
      // after later damage of the keyring.
      if let found, let before = try? found.json() {
        for path in written { try? Self.write(before, to: path, of: owner) }
      } else {
        for path in written { unlink(path) }
      }
      throw error
    }
  }

  /// Returns whether another path leads to this keyring or its spare copy.
  package func isSame(as other: KeyringFile) -> Bool {
    path == other.path
      || [(path, other.path), (sparePath, other.sparePath)].contains { own, others in
        Self.inode(of: own).map { $0 == Self.inode(of: others) } ?? false
      }
  }

  /// Returns the identity of the file at a path, which differs for a file that is moved there.
  private static func inode(of path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [status.st_dev, status.st_ino].map { UInt64(truncatingIfNeeded: $0) }
  }

  /// The owner of the new keyring: that of the existing keyring, or else that of the vault.
  ///
  /// An administrator who changes a keyring must not lock its user out.
  private var owner: (user: uid_t, group: gid_t)? {
    var status = stat()
    let vault = path.hasSuffix(".keyring") ? String(path.dropLast(".keyring".count)) : path
    guard stat(path, &status) == 0 || stat(vault, &status) == 0 else { return nil }
    return (status.st_uid, status.st_gid)
  }

  /// Calls `body` while no other process changes keyrings in the folder.
  package func whileLocked<R>(_ body: () throws -> R) throws -> R {
    let folder = try Folder(of: path)
    defer { folder.close() }
    try folder.lock(within: lockTimeout)
    return try body()
  }

  /// Removes unfinished files of a process that ended while it wrote a keyring.
  ///
  /// Removes nothing while another process writes a keyring.
  package func removeAbandoned() {
    let unfinished = [path, sparePath].map { Self.unfinished($0) }
    guard unfinished.contains(where: { access($0, F_OK) == 0 }),
      let folder = try? Folder(of: path)
    else { return }
    defer { folder.close() }
    guard folder.isLockedAtOnce() else { return }
    for path in unfinished { unlink(path) }
  }

  /// Removes the keyring and its spare copy after the operation that needed them failed.
  package func remove() {
    unlink(path)
    unlink(sparePath)
    if let link { unlink(link) }
  }

  /// The path of a keyring that its vault no longer needs, although older copies of the vault may.
  package var retiredPath: String { path + ".retired" }

  /// The paths of all keyrings that the vault no longer needs.
  package var retiredPaths: [String] {
    let url = URL(fileURLWithPath: retiredPath)
    let (name, folder) = (url.lastPathComponent, url.deletingLastPathComponent().path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { entry in
      guard entry.hasPrefix(name) else { return false }
      let end = entry.dropFirst(name.count)
      return end.isEmpty || end.first == "-" && Int(end.dropFirst()) != nil
    }.sorted().map { retiredPath + $0.dropFirst(name.count) }
  }

  /// Retires the keyring: renames it to ``retiredPath`` and removes its spare copy.
  ///
  /// If the keyring is unreadable, its spare copy is renamed and the keyring is removed. Keyrings
  /// retired earlier are retained: the new name then ends in `-2`, and so on.
  ///
  /// - Parameter isSpareInUse: Whether the spare copy opened the vault, because the keyring failed
  ///   authentication.
  /// - Throws: `keyringUnwritable`.
  package func retire(isSpareInUse: Bool = false) throws(KeyError) {
    try moveAside(isSpareInUse: isSpareInUse)
    if let link { unlink(link) }
  }

  /// Retires the keyring without removing the symbolic link that leads to it.
  private func moveAside(isSpareInUse: Bool = false) throws(KeyError) {
    var target = retiredPath
    var number = 1
    while access(target, F_OK) == 0 {
      number += 1
      target = "\(retiredPath)-\(number)"
    }
    let isSpare = isSpareInUse || !Self.isReadable(path)
    let source = isSpare && Self.isReadable(sparePath) ? sparePath : path
    // First, so that no copy that the vault no longer needs can be left alone.
    unlink(source == path ? sparePath : path)
    guard rename(source, target) == 0 else { throw Self.failure("rename", source) }
  }

  // MARK: Files

  /// Returns whether a file contains a keyring, perhaps one of a newer version.
  private static func isReadable(_ path: String) -> Bool {
    do throws(KeyError) {
      _ = try read(path)
      return true
    } catch {
      return error.code == .keyringNewer
    }
  }

  private static func read(_ path: String) throws(KeyError) -> Keyring {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT {
        throw missing(path)
      }
      throw failure("read", path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw KeyError(
        .keyringMalformed,
        "'\(path)' is not a regular file, so it cannot be a keyring. Check the path.")
    }
    // One byte more than the maximum, to detect a longer file.
    var bytes = [UInt8](repeating: 0, count: Keyring.maximumFileCount + 1)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count)
      }
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw failure("read", path) }
      if got == 0 { break }
      count += got
    }
    return try Keyring(json: Array(bytes.prefix(count)))
  }

  /// Writes a file next to its destination, syncs it to disk, and renames it.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The destination.
  ///   - owner: The owner of the file; `nil` for that of the process.
  ///   - check: A closure called right before the file is renamed; an error cancels the write.
  /// - Throws: `keyringUnwritable`, and the errors of `check`.
  private static func write(
    _ bytes: [UInt8], to path: String, of owner: (user: uid_t, group: gid_t)?,
    _ check: () throws(KeyError) -> Void = {}
  ) throws(KeyError) {
    let unfinished = unfinished(path)
    // A process that ended while writing left it. No other process writes while the folder is
    // locked.
    unlink(unfinished)
    let descriptor = Foundation.open(
      unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("create", unfinished) }
    let problem = contents(bytes, into: descriptor, of: owner, at: unfinished)
    close(descriptor)
    if let problem {
      unlink(unfinished)
      throw problem
    }
    do throws(KeyError) {
      try check()
      guard rename(unfinished, path) == 0 else { throw failure("rename", unfinished) }
    } catch {
      unlink(unfinished)
      throw error
    }
  }

  /// Returns the path of a file while it is written.
  private static func unfinished(_ path: String) -> String { path + ".new" }

  private static func contents(
    _ bytes: [UInt8], into descriptor: Int32, of owner: (user: uid_t, group: gid_t)?,
    at path: String
  ) -> KeyError? {
    // The umask of the process can only have removed permissions; restore those of the owner.
    guard fchmod(descriptor, 0o600) == 0 else { return failure("protect", path) }
    var made = stat()
    // The group has no rights on a keyring, so it need not remain.
    if let owner, fstat(descriptor, &made) == 0,
      (owner.user, owner.group) != (made.st_uid, made.st_gid),
      fchown(descriptor, owner.user, owner.group) != 0, owner.user != made.st_uid
    {
      return failure("set the owner of", path)
    }
    var done = 0
    while done < bytes.count {
      let put = bytes.withUnsafeBytes {
        Foundation.write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done)
      }
      if put < 0, errno == EINTR { continue }
      guard put > 0 else { return failure("write", path) }
      done += put
    }
    return fsync(descriptor) == 0 ? nil : failure("save", path)
  }

  private static func failure(_ verb: String, _ path: String) -> KeyError {
    let number = errno
    return KeyError(
      .keyringUnwritable,
      "Cannot \(verb) '\(path)': \(String(cString: strerror(number))). The keyring is unchanged.",
      systemError: number)
  }

  /// The folder of the keyring, used to lock its changes and to sync them to disk.
  private struct Folder {
    let path: String
    let descriptor: Int32

    init(of file: String) throws(KeyError) {
      path = URL(fileURLWithPath: file).deletingLastPathComponent().path
      descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
      if descriptor < 0 { throw failure("open", path) }
    }

    /// Waits for other processes that change keyrings in the folder, and locks it.
    ///
    /// - Parameter limit: The maximum time to wait.
    /// - Throws: `keyringChanged` if the lock is not free within the limit. Any program that can
    ///   read the folder can hold the lock.
    func lock(within limit: Duration) throws(KeyError) {
      let end = ContinuousClock.now + limit
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("lock", path) }
        guard ContinuousClock.now < end else {
          throw KeyError(
            .keyringChanged,
            "Another process has locked the folder '\(path)' for more than "
              + "\(limit.components.seconds) s. The keyring is unchanged. End that process, or try "
              + "again.")
        }
        usleep(5_000)
      }
    }

    /// Locks the folder if the lock is free, and returns whether it did.
    func isLockedAtOnce() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    func sync() throws(KeyError) {
      guard fsync(descriptor) == 0 else { throw failure("save", path) }
    }

    /// Unlocks and closes the folder.
    ///
    /// Closing alone would leave the lock with a child process that is just starting.
    func close() {
      flock(descriptor, LOCK_UN)
      Foundation.close(descriptor)
    }
  }
}
