internal import Foundation

/// The keyring's place beside its vault: `VAULT.keyring`, and its spare copy `VAULT.keyring~`.
///
/// Both have mode 0600 and hold the same generation: the spare copy is written and on the disk
/// first, so that at every moment one of them is whole. It is never an older one, which would bring
/// back slots that were removed.
package struct KeyringFile: Sendable {
  /// The path of the keyring.
  package let path: String
  /// The path of the spare copy.
  package var sparePath: String { path + "~" }

  /// The link that leads to the keyring, if its path is one. The keyring's own path is where it leads:
  /// a link that a new keyring replaced would leave the old one, with its slots, where it is.
  private let link: String?
  /// How long to wait for another process that changes keyrings in the folder.
  private let lockTimeout: Duration

  /// The keyring at this path, or at the path that a link there leads to.
  package init(at path: String) { self.init(at: path, lockTimeout: .seconds(10)) }

  /// - Parameter lockTimeout: How long to wait for another process that changes keyrings in the folder.
  package init(at path: String, lockTimeout: Duration) {
    self.path = Self.followed(path)
    link = self.path == path ? nil : path
    self.lockTimeout = lockTimeout
  }

  /// The keyring beside a vault.
  package init(besideVault path: String) { self.init(at: path + ".keyring") }

  /// The path that a chain of links leads to, whether something is there or not.
  private static func followed(_ path: String) -> String {
    var path = path
    // As many as the system follows.
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

  /// Whether there is one, be it the spare copy alone.
  package var exists: Bool { access(path, F_OK) == 0 || access(sparePath, F_OK) == 0 }

  /// What to say where there is none.
  var missing: KeyError { Self.missing(path) }

  private static func missing(_ path: String) -> KeyError {
    KeyError(
      .keyringMissing,
      "there is no keyring at '\(path)'; the vault cannot be opened without it, so put it back from "
        + "a backup or say where it is")
  }

  /// A keyring as it was read.
  package struct Contents: Sendable {
    package let keyring: Keyring
    /// Why the spare copy was read instead of the keyring; `nil` where it was not.
    package let spareReason: String?
  }

  /// Reads the keyring; where it cannot be read, its spare copy.
  ///
  /// - Throws: `keyringMissing`, `keyringMalformed`, `keyringNewer`.
  package func read() throws(KeyError) -> Contents {
    do throws(KeyError) {
      return Contents(keyring: try Self.read(path), spareReason: nil)
    } catch {
      // A newer version's file is whole: an old copy must not stand in for it.
      if error.code == .keyringNewer { throw error }
      guard let spare = try? Self.read(sparePath) else { throw error }
      return Contents(keyring: spare, spareReason: error.message)
    }
  }

  /// Reads and opens the keyring; where it cannot be read or does not authenticate, its spare copy.
  ///
  /// - Returns: The open keyring, and why the spare copy was used where it was.
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

  /// Puts a keyring in the place of the one there, atomically: the spare copy first, then the
  /// keyring, each written to a file of its own, brought to the disk and renamed.
  ///
  /// - Parameter previous: The generation that it was made from; `nil` for a new keyring.
  /// - Throws: `keyringChanged` where another process was faster; `keyringUnwritable`.
  package func store(_ keyring: Keyring, replacing previous: UInt64?) throws(KeyError) {
    let json = try keyring.json()
    let folder = try Folder(of: path)
    defer { folder.close() }
    try folder.lock(within: lockTimeout)
    let place = Self.inode(of: path)
    let found = exists ? try read().keyring : nil
    guard found?.generation == previous else {
      throw KeyError(
        .keyringChanged,
        previous == nil
          ? "there is a keyring at '\(path)' already; remove it only if no vault needs it"
          : "another process changed the keyring '\(path)' in the meantime; try again")
    }
    let owner = owner
    var written = [sparePath]
    do throws(KeyError) {
      try Self.write(json, to: sparePath, of: owner)
      try folder.sync()
      try Self.write(json, to: path, of: owner) { () throws(KeyError) in
        guard Self.inode(of: path) == place else {
          throw KeyError(
            .keyringChanged,
            "another file was moved to '\(path)' in the meantime and was not touched; try again")
        }
      }
      written.append(path)
      try folder.sync()
    } catch {
      // Who is told that nothing changed must not find the change, now or where the keyring is damaged
      // later.
      if let found, let before = try? found.json() {
        for path in written { try? Self.write(before, to: path, of: owner) }
      } else {
        for path in written { unlink(path) }
      }
      throw error
    }
  }

  /// The file at a path, by which it is told from another one that is moved there.
  private static func inode(of path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [status.st_dev, status.st_ino].map { UInt64(truncatingIfNeeded: $0) }
  }

  /// Whose the keyring is to be: that of the one there, else that of the vault beside it. Who
  /// administers a vault for somebody must not lock them out.
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

  /// Removes what a process left that ended while it wrote a keyring; nothing while another process
  /// writes one.
  package func removeAbandoned() {
    let unfinished = [path, sparePath].map { Self.unfinished($0) }
    guard unfinished.contains(where: { access($0, F_OK) == 0 }),
      let folder = try? Folder(of: path)
    else { return }
    defer { folder.close() }
    guard folder.isLockedAtOnce() else { return }
    for path in unfinished { unlink(path) }
  }

  /// Removes the keyring and its spare copy, for what it was made for came to nothing.
  package func remove() {
    unlink(path)
    unlink(sparePath)
    if let link { unlink(link) }
  }

  /// Where a keyring is put that its vault does not need any more; older copies of the vault may.
  package var retiredPath: String { path + ".retired" }

  /// Takes the keyring out of use: renamed to ``retiredPath``, without its spare copy. One that was
  /// retired before stays: then the new name ends in `-2`, and so on.
  package func retire() throws(KeyError) {
    var target = retiredPath
    var number = 1
    while access(target, F_OK) == 0 {
      number += 1
      target = "\(retiredPath)-\(number)"
    }
    guard rename(path, target) == 0 else { throw Self.failure("rename", path) }
    unlink(sparePath)
    if let link { unlink(link) }
  }

  // MARK: Files

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
      throw KeyError(.keyringMalformed, "'\(path)' is not a regular file, so no keyring")
    }
    // One byte more than may be, so that a longer file shows.
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

  /// Writes a file next to its place, brings it to the disk, and renames it.
  ///
  /// - Parameter check: Called right before the file is renamed; what it throws ends the work.
  private static func write(
    _ bytes: [UInt8], to path: String, of owner: (user: uid_t, group: gid_t)?,
    _ check: () throws(KeyError) -> Void = {}
  ) throws(KeyError) {
    let unfinished = unfinished(path)
    // Left by a process that ended in the middle; nobody else writes while the folder is locked.
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

  /// Where a file is made before it gets its place.
  private static func unfinished(_ path: String) -> String { path + ".new" }

  private static func contents(
    _ bytes: [UInt8], into descriptor: Int32, of owner: (user: uid_t, group: gid_t)?,
    at path: String
  ) -> KeyError? {
    // The mask of the process can only have taken rights away; give the owner's back.
    guard fchmod(descriptor, 0o600) == 0 else { return failure("protect", path) }
    var made = stat()
    if let owner, fstat(descriptor, &made) == 0,
      (owner.user, owner.group) != (made.st_uid, made.st_gid),
      fchown(descriptor, owner.user, owner.group) != 0
    {
      return failure("give its owner", path)
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
      "could not \(verb) '\(path)': \(String(cString: strerror(number))); the keyring is as before",
      systemError: number)
  }

  /// The folder of the keyring, through which its changes are kept apart and brought to the disk.
  private struct Folder {
    let path: String
    let descriptor: Int32

    init(of file: String) throws(KeyError) {
      path = URL(fileURLWithPath: file).deletingLastPathComponent().path
      descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
      if descriptor < 0 { throw failure("open", path) }
    }

    /// Waits for other processes that change keyrings in the folder.
    ///
    /// - Throws: `keyringChanged` if the lock is not free within the limit: any program that may read the
    ///   folder can hold it.
    func lock(within limit: Duration) throws(KeyError) {
      let end = ContinuousClock.now + limit
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        guard errno == EWOULDBLOCK || errno == EINTR else { throw failure("lock", path) }
        guard ContinuousClock.now < end else {
          throw KeyError(
            .keyringChanged,
            "another process holds a lock on the folder '\(path)' for more than "
              + "\(limit.components.seconds) s; nothing was changed. End that process, or try again"
          )
        }
        usleep(5_000)
      }
    }

    /// Does the same where nobody is in the way.
    func isLockedAtOnce() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    func sync() throws(KeyError) {
      guard fsync(descriptor) == 0 else { throw failure("save", path) }
    }

    /// Gives the lock up too, which closing alone would leave with a program that is just starting.
    func close() {
      flock(descriptor, LOCK_UN)
      Foundation.close(descriptor)
    }
  }
}
