internal import ObjectVaultPlatform

/// Reads a key file after checking its type and its permissions.
///
/// - Parameter path: The path of the file.
/// - Returns: The key, and whether it came from a pipe, which can be read only once.
/// - Throws: `keySourceUnreadable`.
func readKeyFile(_ path: String) throws(KeyError) -> (secret: SharedSecret, isPipe: Bool) {
  guard !path.utf8.contains(0) else {
    throw KeyError(
      .keySourceUnreadable, "The path of the key file contains a NUL character. Check the path.")
  }
  // Non-blocking, so that a pipe without a writer ends at once instead of blocking. The checks
  // inspect the opened file, not the path again.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
  guard descriptor >= 0 else {
    let reason = errno
    throw KeyError(
      .keySourceUnreadable,
      "Cannot open the key file '\(path)': \(systemErrorText(reason)). Check the path and the "
        + "file's permissions.",
      systemError: reason)
  }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else {
    let reason = errno
    throw KeyError(
      .keySourceUnreadable,
      "Cannot inspect the key file '\(path)': \(systemErrorText(reason)). Check the file and its "
        + "disk.",
      systemError: reason)
  }
  let isPipe = status.st_mode & S_IFMT == S_IFIFO
  guard isPipe || status.st_mode & S_IFMT == S_IFREG else {
    throw KeyError(
      .keySourceUnreadable,
      "The key file '\(path)' is not a regular file or a pipe. Check the path.")
  }
  // A pipe without a name, such as a process substitution, has mode 0600.
  let rights = status.st_mode & 0o7777
  guard rights & 0o077 == 0 else {
    throw KeyError(
      .keySourceUnreadable,
      "The key file '\(path)' has mode 0\(String(rights, radix: 8)), so other users may access it. "
        + "Run: chmod 600 '\(path)'")
  }
  guard status.st_size <= KeySource.maximumCount else {
    throw tooLong("the key file '\(path)'")
  }
  let name = "the key file '\(path)'"
  guard isPipe else {
    return (
      SharedSecret(try readToEnd(descriptor, of: name, expecting: Int(status.st_size))), false
    )
  }
  // The writer may need a moment.
  guard fcntl(descriptor, F_SETFL, 0) == 0 else {
    let reason = errno
    throw KeyError(
      .keySourceUnreadable,
      "Cannot read \(name): \(systemErrorText(reason)). Check the program that writes to the pipe.",
      systemError: reason)
  }
  let secret = SharedSecret(try readToEnd(descriptor, of: name))
  guard secret.count > 0 else {
    throw KeyError(
      .keySourceUnreadable,
      "No program writes to the pipe of \(name). Start the program that writes the key first.")
  }
  return (secret, true)
}

/// Reads an environment variable, which must not be empty.
func readKeyVariable(_ name: String) throws(KeyError) -> Secret {
  guard !name.isEmpty, !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "=")),
    let value = getenv(name)
  else {
    throw KeyError(
      .keySourceUnreadable,
      "The environment variable '\(name)' is not set. Set it to the key, or use another source.")
  }
  let count = strlen(value)
  guard count > 0 else {
    throw KeyError(
      .keySourceUnreadable,
      "The environment variable '\(name)' is empty. Set it to the key, or use another source.")
  }
  guard count <= KeySource.maximumCount else {
    throw tooLong("the environment variable '\(name)'")
  }
  return Secret(copying: UnsafeRawBufferPointer(start: value, count: count))
}

/// Reads a descriptor to its end, never beyond the limit for keys.
///
/// - Parameters:
///   - descriptor: The descriptor.
///   - name: The name of the source, for messages.
///   - expected: The expected number of bytes. One more byte is requested, to detect the end.
/// - Returns: The bytes.
/// - Throws: `keySourceUnreadable`.
func readToEnd(
  _ descriptor: Int32, of name: String, expecting expected: Int = 4095
) throws(KeyError) -> Secret {
  var buffer = Secret(count: expected + 1)
  var filled = 0
  while true {
    if filled == buffer.count {
      var larger = Secret(count: min(buffer.count * 2, KeySource.maximumCount + 1))
      larger.withUnsafeMutableBytes { larger in
        buffer.withUnsafeBytes { larger.copyMemory(from: $0) }
      }
      buffer = larger
    }
    let answer = buffer.withUnsafeMutableBytes {
      read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled)
    }
    if answer < 0 {
      let reason = errno
      if reason == EINTR { continue }
      throw KeyError(
        .keySourceUnreadable,
        "Cannot read the key from \(name): \(systemErrorText(reason)). Check the source.",
        systemError: reason)
    }
    if answer == 0 { return buffer.prefix(filled) }
    filled += answer
    guard filled <= KeySource.maximumCount else { throw tooLong(name) }
  }
}

private func tooLong(_ name: String) -> KeyError {
  KeyError(
    .keySourceUnreadable,
    "The key source is too long: \(name) has more than \(KeySource.maximumCount) bytes. Check that "
      + "it is the right one.")
}
