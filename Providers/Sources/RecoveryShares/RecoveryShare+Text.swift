public import KeyProviderProgram

extension RecoveryShare {
  /// Returns the text to print.
  ///
  /// - Parameter vault: The name of the vault, for people; characters after the first 200 bytes
  ///   are left out.
  /// - Returns: Lines in UTF-8: the number, the vault, the set, the shares needed, and the code.
  public borrowing func text(vault: String) -> ProtectedBytes {
    var name = String(vault.unicodeScalars.filter { $0.properties.generalCategory != .control })
    while name.utf8.count > 200 { name.removeLast() }
    let lines = """
      ObjectVault recovery share \(number) of \(total)
      Vault:   \(name)
      Set:     \(setName)
      Needed:  \(needed) shares of this set
      """
    let head = Array("\(lines)\nCode:    ".utf8)
    let code = hyphenated(characters(), groupsOfLine: 4, indentation: 9)
    var text = ProtectedBytes(count: head.count + code.count + 1)
    text.withUnsafeMutableBytes { text in
      text.copyBytes(from: head)
      code.withUnsafeBytes { code in
        UnsafeMutableRawBufferPointer(rebasing: text[head.count...]).copyBytes(from: code)
      }
      text[text.count - 1] = 0x0A
    }
    return text
  }

  /// Reads the printed text of a share, or its code alone.
  ///
  /// - Parameters:
  ///   - text: The lines. Lines before the code can be missing.
  ///   - name: The name of the share, for errors.
  /// - Returns: The share.
  /// - Throws: An error that names the mistyped group, or the line that differs from the code.
  public static func read(
    _ text: borrowing ProtectedBytes, name: String
  ) throws(SharesError) -> RecoveryShare {
    var code = ProtectedBytes(count: text.count)
    var length = 0
    var described: [String] = []
    text.withUnsafeBytes { text in
      code.withUnsafeMutableBytes { code in
        for line in text.split(separator: 0x0A) {
          guard let part = RecoveryShare.codePart(of: line) else {
            described.append(String(decoding: line, as: UTF8.self))
            continue
          }
          UnsafeMutableRawBufferPointer(rebasing: code[length...]).copyBytes(from: part)
          length += part.count
        }
      }
    }
    code.truncate(to: length)
    let share = try RecoveryShare(typed: code, name: name)
    try share.check(described, name: name)
    return share
  }

  /// Returns the number of characters of the code in a line.
  static func codeCharacters(of line: borrowing ProtectedBytes) -> Int {
    line.withUnsafeBytes { bytes in
      codePart(of: bytes[...])?.count { !PrintedCode.isIgnored($0) } ?? 0
    }
  }

  /// Returns the part of a line that belongs to the code; `nil` for a line before the code.
  private static func codePart(
    of line: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer>? {
    let rest = line.drop { $0 == 0x20 || $0 == 0x09 }
    let isHead = ["ObjectVault", "Vault:", "Set:", "Needed:"].contains {
      rest.starts(with: $0.utf8)
    }
    return isHead ? nil : rest.starts(with: "Code:".utf8) ? rest.dropFirst(5) : rest
  }

  /// Compares the lines before the code with the code.
  private borrowing func check(_ lines: [String], name: String) throws(SharesError) {
    for line in lines {
      let words = line.split { $0 == " " || $0 == "\r" || $0 == "\t" }.map(String.init)
      let expected: [String]? =
        switch words[0] {
        case "ObjectVault":
          ["ObjectVault", "recovery", "share", "\(number)", "of", "\(total)"]
        case "Set:": ["Set:", setName]
        case "Needed:": ["Needed:", "\(needed)", "shares", "of", "this", "set"]
        default: nil
        }
      guard expected == nil || expected == words else {
        throw SharesError(
          "The line '\(words[0])' of the \(name) differs from its code. Enter the code alone, or "
            + "compare both with the paper.")
      }
    }
  }
}

/// Returns characters in groups with hyphens between them.
///
/// - Parameters:
///   - characters: The characters, without hyphens.
///   - groupsOfLine: The number of groups after which a new line begins.
///   - indentation: The number of spaces at the beginning of each new line.
/// - Returns: The text, without a final newline.
func hyphenated(
  _ characters: borrowing ProtectedBytes, groupsOfLine: Int, indentation: Int
) -> ProtectedBytes {
  let groups = characters.count / PrintedCode.groupLength
  let lines = (groups - 1) / groupsOfLine
  var text = ProtectedBytes(count: characters.count + groups - 1 + lines * indentation)
  text.withUnsafeMutableBytes { text in
    characters.withUnsafeBytes { characters in
      var place = 0
      func put(_ byte: UInt8) {
        text[place] = byte
        place += 1
      }
      for (index, byte) in characters.enumerated() {
        if index > 0, index.isMultiple(of: groupsOfLine * PrintedCode.groupLength) {
          put(0x0A)
          for _ in 0..<indentation { put(0x20) }
        } else if index > 0, index.isMultiple(of: PrintedCode.groupLength) {
          put(UInt8(ascii: "-"))
        }
        put(byte)
      }
    }
  }
  return text
}
