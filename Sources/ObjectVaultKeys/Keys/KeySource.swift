internal import Synchronization

/// Where a key is read from when it is needed, instead of being kept by the program.
///
/// A vault reads its source when it opens the file, and again when it must open it anew (after
/// the file was replaced or its key changed). What was read is held in protected memory and wiped
/// with the vault.
///
/// ```swift
/// let vault = try Vault(at: "school.vault", key: .source(.file("/run/secrets/school")))
/// ```
public struct KeySource: Sendable {
  /// What a source holds.
  public enum Contents: Sendable, Hashable {
    /// A passphrase, byte for byte.
    case passphrase
    /// A raw key: 32 bytes, or 48 with the file's salt; or 64 or 96 hexadecimal digits, after
    /// which one newline may stand.
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

  /// A file that only its owner may read.
  ///
  /// It must be a regular file or a pipe (a symbolic link to one is followed) without any right for
  /// group and others, and of at most 64 KiB. What a pipe gives is kept in protected memory as long
  /// as this source exists. One newline at the end (`\n` or `\r\n`) is not part of a passphrase.
  ///
  /// - Parameters:
  ///   - path: the file's path.
  ///   - contents: what the file holds; a passphrase unless said otherwise.
  public static func file(_ path: String, holding contents: Contents = .passphrase) -> KeySource {
    KeySource(origin: .file(KeyFile(path)), contents: contents)
  }

  /// An environment variable. It must be set and not empty; every byte of it counts.
  ///
  /// - Parameters:
  ///   - name: the variable's name.
  ///   - contents: what the variable holds; a passphrase unless said otherwise.
  public static func environment(
    _ name: String, holding contents: Contents = .passphrase
  ) -> KeySource {
    KeySource(origin: .environment(name), contents: contents)
  }

  /// An open file descriptor, such as the reading end of a pipe.
  ///
  /// It is read to its end at the first use, which waits for a pipe's writer; at most 64 KiB.
  /// A descriptor can be read only once, so what it gave is kept in protected memory as long as
  /// this source exists. It is not closed. One newline at the end is not part of a passphrase.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor's number.
  ///   - contents: what the descriptor gives; a passphrase unless said otherwise.
  public static func descriptor(
    _ descriptor: Int32, holding contents: Contents = .passphrase
  ) -> KeySource {
    KeySource(origin: .descriptor(DescriptorKey(descriptor)), contents: contents)
  }

  /// A closure, for instance one that asks a key store of the system or the network.
  ///
  /// It may be called more than once and from any thread, and must not use the vault that it
  /// opens. What it throws becomes the `underlying` error of the vault's.
  ///
  /// - Parameters:
  ///   - contents: what the closure gives; a passphrase unless said otherwise.
  ///   - read: gives the key; every byte counts.
  public static func closure(
    holding contents: Contents = .passphrase, _ read: @escaping @Sendable () throws -> Secret
  ) -> KeySource {
    KeySource(origin: .closure { SharedSecret(try read()) }, contents: contents)
  }
}

extension KeySource {
  /// The most bytes that are read from a file or a descriptor: 64 KiB.
  static let maximumCount = 64 << 10

  func read() throws(KeyError) -> ResolvedKey { try interpret(try bytes()) }

  /// What the source gives, byte for byte.
  func bytes() throws(KeyError) -> Secret {
    switch origin {
    case .closure(let read):
      do {
        return try read().withSecret { $0.copy() }
      } catch {
        throw KeyError(
          .keySourceUnreadable, "the closure that gives the key failed: \(type(of: error))",
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

  /// What the source gives, without the newline that ends a file of text.
  func text() throws(KeyError) -> Secret {
    let bytes = try bytes()
    return endsWithNewline ? bytes.withoutFinalNewline() : bytes
  }

  private func interpret(_ bytes: consuming Secret) throws(KeyError) -> ResolvedKey {
    switch contents {
    case .passphrase:
      return try .passphrase(endsWithNewline ? bytes.withoutFinalNewline() : bytes)
    case .raw:
      // A binary key may end in any byte, also in that of a newline.
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
  /// Where the key is read from; never what was read.
  public var description: String {
    switch origin {
    case .closure: "key from a closure"
    case .file(let file): "key from the file '\(file.path)'"
    case .environment(let name): "key from the environment variable '\(name)'"
    case .descriptor(let descriptor): "key from the file descriptor \(descriptor.number)"
    }
  }
  /// The same as ``description``.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension Secret {
  /// The bytes without one `\n` or `\r\n` at their end.
  borrowing func withoutFinalNewline() -> Secret {
    let kept = withUnsafeBytes { bytes in
      guard bytes.last == 0x0a else { return bytes.count }
      return bytes.dropLast().last == 0x0d ? bytes.count - 2 : bytes.count - 1
    }
    return prefix(kept)
  }
}

/// A key file, and what it gave if it is a pipe.
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

/// A descriptor and what it gave.
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
