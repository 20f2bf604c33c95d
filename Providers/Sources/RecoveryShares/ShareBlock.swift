public import KeyProviderProgram

/// The lines of one share while they are read.
///
/// A share ends when its code has all characters, at an empty line after the code, or before the
/// first line of another share.
public struct ShareBlock: ~Copyable {
  private var text = ProtectedBytes(count: 4096)
  private var length = 0
  private var characters = 0

  /// Creates a share without lines.
  public init() {}

  /// Whether lines were added.
  public var isEmpty: Bool { length == 0 }
  /// Whether the code has all of its characters.
  public var isComplete: Bool {
    characters >= RecoveryShare.groups * PrintedCode.groupLength
  }

  /// Adds a line, unless it belongs to the next share.
  ///
  /// - Parameter line: The line without its newline.
  /// - Returns: Whether the line belongs to this share.
  public mutating func add(_ line: borrowing ProtectedBytes) -> Bool {
    let (isBlank, isHead) = line.withUnsafeBytes { bytes in
      (
        bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D },
        bytes.starts(with: "ObjectVault".utf8)
      )
    }
    if characters > 0, isBlank || isHead { return false }
    guard !isBlank, length + line.count + 1 <= text.count else { return true }
    text.withUnsafeMutableBytes { text in
      line.withUnsafeBytes { line in
        UnsafeMutableRawBufferPointer(rebasing: text[length...]).copyBytes(from: line)
      }
      text[length + line.count] = 0x0A
    }
    length += line.count + 1
    characters += RecoveryShare.codeCharacters(of: line)
    return true
  }

  /// Returns the share.
  ///
  /// - Parameter name: The name of the share, for errors.
  /// - Returns: The share.
  /// - Throws: An error that names the mistyped group.
  public consuming func share(name: String) throws(SharesError) -> RecoveryShare {
    text.truncate(to: length)
    return try RecoveryShare.read(text, name: name)
  }
}
