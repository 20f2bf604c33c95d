internal import Synchronization

/// A source that a key is read from when it is needed, instead of being retained by the program.
///
/// A vault reads its source when it opens the file, and again when it must reopen it (after the
/// file was replaced or its key changed). The key is held in protected memory and wiped with the
/// vault.
///
/// ```swift
/// let vault = try Vault(at: "school.vault", key: .source(.file("/run/secrets/school")))
/// ```
public struct KeySource: Sendable {
  /// The kind of key that a source contains.
  public enum Contents: Sendable, Hashable {
    /// A passphrase, byte for byte.
    case passphrase
    /// A raw key: 32 bytes, or 48 with the salt of the file, in binary or hexadecimal.
    ///
    /// In hexadecimal it has 64 or 96 digits, optionally followed by one newline.
    case raw
  }

  enum Origin: Sendable {
    case closure(@Sendable () throws -> SharedSecret)
    case file(KeyFile)
    case environment(String)
    case descriptor(DescriptorKey)
  }

  let origin: Origin
  let contents: Contents

  /// Returns a source that reads a file to which only the owner has access.
  ///
  /// The file must be a regular file or a pipe (a symbolic link to one is followed), without any
  /// permission for group and others, and of at most 64 KiB. The content of a pipe is held in
  /// protected memory as long as this source exists. One newline at the end (`\n` or `\r\n`) is not
  /// part of a passphrase.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - contents: The kind of key in the file; a passphrase by default.
  /// - Returns: The source.
  public static func file(_ path: String, holding contents: Contents = .passphrase) -> KeySource {
    KeySource(origin: .file(KeyFile(path)), contents: contents)
  }

  /// Returns a source that reads an environment variable.
  ///
  /// The variable must be set and not empty; every byte of it counts.
  ///
  /// - Parameters:
  ///   - name: The name of the variable.
  ///   - contents: The kind of key in the variable; a passphrase by default.
  /// - Returns: The source.
  public static func environment(
    _ name: String, holding contents: Contents = .passphrase
  ) -> KeySource {
    KeySource(origin: .environment(name), contents: contents)
  }

  /// Returns a source that reads an open file descriptor, such as the read end of a pipe.
  ///
  /// The descriptor is read to its end at the first use, which waits for the writer of a pipe; at
  /// most 64 KiB. A descriptor can be read only once, so its content is held in protected memory as
  /// long as this source exists. The descriptor is not closed. One newline at the end is not part
  /// of a passphrase.
  ///
  /// - Parameters:
  ///   - descriptor: The number of the descriptor.
  ///   - contents: The kind of key that it provides; a passphrase by default.
  /// - Returns: The source.
  public static func descriptor(
    _ descriptor: Int32, holding contents: Contents = .passphrase
  ) -> KeySource {
    KeySource(origin: .descriptor(DescriptorKey(descriptor)), contents: contents)
  }

  /// Returns a source that calls a closure, such as one that reads a system or network key store.
  ///
  /// The closure can be called more than once and from any thread, and must not use the vault that
  /// it opens. An error that it throws becomes the `underlying` error of the vault's error.
  ///
  /// - Parameters:
  ///   - contents: The kind of key that the closure returns; a passphrase by default.
  ///   - read: A closure that returns the key; every byte counts.
  /// - Returns: The source.
  public static func closure(
    holding contents: Contents = .passphrase, _ read: @escaping @Sendable () throws -> Secret
  ) -> KeySource {
    KeySource(origin: .closure { SharedSecret(try read()) }, contents: contents)
  }
}

extension KeySource {
  /// The maximum number of bytes read from a file or a descriptor: 64 KiB.
  package static let maximumCount = 64 << 10

  func read() throws(KeyError) -> ResolvedKey { try interpret(try bytes()) }

  /// Returns the content of the source, byte for byte.
  func bytes() throws(KeyError) -> Secret {
    switch origin {
    case .closure(let read):
      do {
        return try read().withSecret { $0.copy() }
      } catch {
        throw KeyError(
          .keySourceUnreadable,
          "The closure that provides the key failed: \(type(of: error)). See the underlying error.",
          underlying: error)
      }
    case .file(let file):
      return try file.read().withSecret { $0.copy() }
    case .environment(let name):
      return try readKeyVariable(name)
    case .descriptor(let descriptor):
      let secret = try descriptor.read()
      try secret.checkProcess()
      return secret.withSecret { $0.copy() }
    }
  }

  /// Returns the content of the source, without the final newline of a text file.
  func text() throws(KeyError) -> Secret {
    let bytes = try bytes()
    return endsWithNewline ? bytes.withoutFinalNewline() : bytes
  }

  private func interpret(_ bytes: consuming Secret) throws(KeyError) -> ResolvedKey {
    switch contents {
    case .passphrase:
      return try .passphrase(endsWithNewline ? bytes.withoutFinalNewline() : bytes)
    case .raw:
      // A binary key can end with any byte, including that of a newline.
      if bytes.count == 32 || bytes.count == 48 { return try .raw(bytes) }
      return try .raw(hexadecimal: bytes.withoutFinalNewline())
    }
  }

  private var endsWithNewline: Bool {
    switch origin {
    case .file, .descriptor: true
    case .closure, .environment: false
    }
  }
}

extension KeySource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The source of the key, never the key itself.
  public var description: String {
    switch origin {
    case .closure: "key from a closure"
    case .file(let file): "key from the file '\(file.path)'"
    case .environment(let name): "key from the environment variable '\(name)'"
    case .descriptor(let descriptor): "key from the file descriptor \(descriptor.number)"
    }
  }
  /// The same text as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret {
  /// Returns the bytes without one `\n` or `\r\n` at the end.
  borrowing func withoutFinalNewline() -> Secret {
    let kept = withUnsafeBytes { bytes in
      guard bytes.last == 0x0a else { return bytes.count }
      return bytes.dropLast().last == 0x0d ? bytes.count - 2 : bytes.count - 1
    }
    return prefix(kept)
  }
}

/// A key file, and its content if it is a pipe.
final class KeyFile: Sendable {
  let path: String
  private let piped = Mutex<SharedSecret?>(nil)

  init(_ path: String) {
    self.path = path
  }

  func read() throws(KeyError) -> SharedSecret {
    try piped.withLock { piped throws(KeyError) in
      if let piped { return piped }
      let (secret, isPipe) = try readKeyFile(path)
      if isPipe { piped = secret }
      return secret
    }
  }
}

/// A descriptor and its content.
final class DescriptorKey: Sendable {
  let number: Int32
  private let secret = Mutex<SharedSecret?>(nil)

  init(_ number: Int32) {
    self.number = number
  }

  func read() throws(KeyError) -> SharedSecret {
    try secret.withLock { secret throws(KeyError) in
      if let secret { return secret }
      let read = SharedSecret(try readToEnd(number, of: "the file descriptor \(number)"))
      secret = read
      return read
    }
  }
}
