internal import Foundation

extension KeyringIdentity {
  /// Writes the identity to a new file that only its owner can read (mode 0600).
  ///
  /// An existing file is never replaced. The file also contains the recipient, as a comment.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``KeyError``: `.keySourceUnreadable` if the file exists or cannot be written.
  public func write(to path: String) throws(KeyError) {
    let descriptor = Foundation.open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.unwritable(path, errno) }
    defer { close(descriptor) }
    let comment = Secret(utf8: "# ObjectVault identity of \(recipient)\n")
    var failure: Int32?
    if fchmod(descriptor, 0o600) != 0 { failure = errno }
    failure = failure ?? Self.write(comment, to: descriptor) ?? Self.write(text(), to: descriptor)
    failure = failure ?? Self.write(Secret(utf8: "\n"), to: descriptor)
    if failure == nil, fsync(descriptor) != 0 { failure = errno }
    guard let failure else { return }
    unlink(path)
    throw Self.unwritable(path, failure)
  }

  /// Writes all bytes, and returns the error number of the system if that fails.
  private static func write(_ secret: borrowing Secret, to descriptor: Int32) -> Int32? {
    secret.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let put = Foundation.write(
          descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if put < 0, errno == EINTR { continue }
        guard put > 0 else { return errno }
        done += put
      }
      return nil
    }
  }

  private static func unwritable(_ path: String, _ number: Int32) -> KeyError {
    KeyError(
      .keySourceUnreadable,
      number == EEXIST
        ? "The file '\(path)' already exists and is left unchanged. Choose another path."
        : "The identity file '\(path)' cannot be written: \(systemErrorText(number)). Check the "
          + "folder and its permissions.",
      systemError: number)
  }
}
