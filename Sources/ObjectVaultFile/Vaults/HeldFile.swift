import Foundation
package import ObjectVaultDriver
package import ObjectVaultKeys
import ObjectVaultPlatform
import ObjectVaultSession

/// An open descriptor of a database file, shared by all code in the process that uses the file.
///
/// Closing *any* descriptor of a file drops all locks that the process has on it, including the
/// engine's. Another process could then delete a live write-ahead log. Therefore there is exactly
/// one descriptor in addition to the engine's: opened before the first connection, closed after the
/// last, and found by device and inode. Raw bytes (salt, header) are read through it.
package final class HeldFile: @unchecked Sendable {
  /// The identity of a file, independent of its names.
  package struct Identity: Hashable, Sendable {
    var device: UInt64
    var inode: UInt64

    /// Creates the identity of the file at `path` without opening it; `nil` if the file is missing.
    package init?(path: String) {
      var status = stat()
      // Passing the string itself would copy it for the call.
      guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
      self.init(status)
    }

    init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  package let identity: Identity
  /// The path with which the file was opened, for errors.
  private let path: String
  /// The process that opened the file.
  ///
  /// In a forked process, the engine would take the parent's locks for its own.
  private let process = ProcessNumber.current
  private let descriptor: Int32
  private var users = 1

  private static let held = Locked<[Identity: HeldFile]>([:])

  private init(descriptor: Int32, identity: Identity, path: String) {
    self.descriptor = descriptor
    self.identity = identity
    self.path = path
  }

  /// Opens the file at `path`, or shares the descriptor that is already open.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - readOnly: Whether the descriptor is for reading only.
  ///   - creating: Whether a missing file is created, empty and with mode 0600.
  /// - Returns: The file, and whether the call created it.
  /// - Throws: `.noSuchFile`, `.cannotOpen`, `.readOnly`, or `.invalidated` in a forked process.
  package static func acquire(
    _ path: String, readOnly: Bool, creating: Bool
  ) throws(VaultError) -> (file: HeldFile, isNew: Bool) {
    let opened = held.withLock { held -> Result<(HeldFile, Bool), VaultError> in
      Result { () throws(VaultError) in
        if !held.isEmpty, let identity = Identity(path: path), let file = held[identity] {
          try file.checkProcess(path)
          file.users += 1
          return (file, false)
        }
        let (descriptor, isNew) = try open(path, readOnly: readOnly, creating: creating)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
          let error = VaultError.system(errno, "examine", path)
          close(descriptor)
          throw error
        }
        let identity = Identity(status)
        // The path may have been replaced between the check and the opening.
        if let file = held[identity] {
          if file.process != ProcessNumber.current { close(descriptor) }
          try file.checkProcess(path)
          file.users += 1
          // Keep the second descriptor open as long as the first: closing it would drop locks.
          file.extraDescriptors.append(descriptor)
          return (file, false)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
          close(descriptor)
          throw VaultError(
            .cannotOpen, "'\(path)' is not a regular file. Use the path of a vault.")
        }
        let file = HeldFile(descriptor: descriptor, identity: identity, path: path)
        held[identity] = file
        return (file, isNew)
      }
    }
    return try opened.get()
  }

  /// Returns the number of names (hard links) of the file at a path, without that of its unfinished
  /// copy.
  ///
  /// Some file systems cannot move a file only to a free name. There, a finished copy has both
  /// names until the file is next opened for writing.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The number of names; 0 if the file is missing.
  package static func nameCount(_ path: String) -> Int {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    let count = Int(status.st_nlink)
    guard count > 1, Identity(path: CopyInWork.path(for: path)) == Identity(status) else {
      return count
    }
    return count - 1
  }

  /// Returns whether this process has the file open, also while it is closing it.
  package static func isHeld(_ identity: Identity) -> Bool {
    held.withLock { $0[identity]?.process == ProcessNumber.current }
  }

  private func checkProcess(_ path: String) throws(VaultError) {
    if process != ProcessNumber.current { throw .openedBeforeFork(path) }
  }

  private var extraDescriptors: [Int32] = []

  private static func open(
    _ path: String, readOnly: Bool, creating: Bool
  ) throws(VaultError) -> (Int32, isNew: Bool) {
    // Non-blocking, so that a named pipe at the path does not hang the caller.
    let flags = (readOnly ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NONBLOCK
    var descriptor = Foundation.open(path, flags)
    if creating, descriptor < 0, errno == ENOENT {
      try FileNameLength.check(path)
      let made = Foundation.open(
        path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NONBLOCK, 0o600)
      if made >= 0 {
        // The umask can only have removed permissions; restore those of the owner.
        _ = fchmod(made, 0o600)
        return (made, true)
      }
      if errno != EEXIST { throw .system(errno, "create", path) }
      // Another process created it in the meantime.
      descriptor = Foundation.open(path, flags)
    }
    if descriptor >= 0 { return (descriptor, false) }
    if errno == ENOENT {
      throw VaultError(
        .noSuchFile,
        "The file '\(path)' is missing. Check the path, or allow the vault to create it.")
    }
    let reason = errno
    if !readOnly, mayOnlyBeRead(path) {
      throw VaultError(
        .readOnly, "This user can read '\(path)' but not write it. Check its permissions.")
    }
    errno = reason
    throw .system(errno, "open", path)
  }

  /// Returns whether the permissions of the file, or its disk, allow this user to read but not
  /// write it.
  static func mayOnlyBeRead(_ path: String) -> Bool {
    func may(_ mode: Int32) -> Bool { faccessat(AT_FDCWD, path, mode, AT_EACCESS) == 0 }
    guard !may(W_OK), errno == EACCES || errno == EROFS else { return false }
    return may(R_OK)
  }

  /// Returns the first bytes of the file at `path`; `nil` if the file is missing or too short.
  package static func start(ofFileAt path: String) throws(VaultError) -> FileStart? {
    guard Identity(path: path) != nil else { return nil }
    let (file, _) = try acquire(path, readOnly: true, creating: false)
    defer { file.release() }
    return FileStart(try file.read(at: 0, count: FileStart.count))
  }

  /// Releases one use of the descriptor; the last release closes it.
  package func release() {
    Self.held.withLock { held in
      users -= 1
      guard users == 0 else { return }
      held[identity] = nil
      close(descriptor)
      for extra in extraDescriptors { close(extra) }
    }
  }

  /// The size in bytes.
  package var size: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The file mode.
  var mode: UInt32 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? UInt32(status.st_mode) : 0
  }

  /// Returns up to `count` bytes at `offset`; fewer at the end of the file.
  package func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
    try Self.read(descriptor, at: offset, count: count, path)
  }

  /// Reads bytes of a file through a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: A descriptor of the file.
  ///   - offset: The position of the first byte.
  ///   - count: The number of bytes.
  ///   - path: The path of the file, for the error.
  /// - Returns: The bytes; fewer at the end of the file.
  /// - Throws: An error if the file cannot be read.
  static func read(
    _ descriptor: Int32, at offset: Int, count: Int, _ path: String
  ) throws(VaultError) -> [UInt8] {
    var failure: VaultError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      while done < count, let start = buffer.baseAddress {
        let got = pread(descriptor, start + done, count - done, off_t(offset + done))
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = .system(errno, "read", path) }
        if got <= 0 { break }
        done += got
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

extension VaultError {
  /// Returns the error of a failed system call, with a suitable remedy.
  package static func system(_ number: Int32, _ verb: String, _ path: String) -> VaultError {
    let reason = String(cString: strerror(number))
    let what = "Cannot \(verb) '\(path)': \(reason)."
    return switch number {
    case ENOENT: VaultError(.cannotOpen, "\(what) Create the folder first, or check the path.")
    case EACCES, EPERM:
      VaultError(
        .cannotOpen, "\(what) Check the owner and the permissions of the file and its folder.")
    case EROFS: VaultError(.readOnly, "\(what) Choose a writable location.")
    case EISDIR: VaultError(.cannotOpen, "\(what) Use the path of a file.")
    case ENOSPC, EDQUOT: VaultError(.diskFull, "\(what) Free some space and try again.")
    case ENAMETOOLONG, ENOTDIR, ELOOP:
      VaultError(.cannotOpen, "\(what) Check the path.")
    case ENOLCK, ENOTSUP:
      VaultError(.inputOutput, "\(what) Use another file system.")
    case EMFILE, ENFILE:
      VaultError(.cannotOpen, "\(what) Close files, or raise the limit of open files.")
    default: VaultError(.inputOutput, "\(what) Check the disk and try again.")
    }
  }
}
