import ObjectVaultCore
import ObjectVaultTerminal

import ObjectVaultPlatform

/// Questions to the user on the terminal, independent of standard input and output.
struct TerminalPrompt: ~Copyable {
  private let descriptor: Int32
  private let mustClose: Bool

  /// Creates a prompt, or returns `nil` if the process has no terminal.
  init?() {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if terminal >= 0 {
      descriptor = terminal
      mustClose = true
    } else if isatty(0) == 1 {
      descriptor = 0
      mustClose = false
    } else {
      return nil
    }
  }

  deinit {
    if mustClose { close(descriptor) }
  }

  // MARK: Keys

  /// Asks for a key without showing it.
  ///
  /// - Parameters:
  ///   - choice: The options that the error suggests if no terminal is available.
  ///   - kind: The kind of key.
  ///   - subject: The purpose of the key.
  ///   - twice: Whether the key is requested again, to find typing errors.
  /// - Returns: The key.
  /// - Throws: ``ToolError`` if no terminal is available or the two entries differ.
  static func askForKey(
    _ choice: KeyChoice, _ kind: SlotKind, for subject: String, twice: Bool
  ) throws -> Secret {
    let option = choice.option
    guard let terminal = TerminalPrompt() else {
      throw ToolError(
        .usage,
        "No \(choice.isReplacement ? "new " : "")key was provided, and there is no terminal to ask "
          + "on. Use \(option)-file PATH, \(option)-env NAME or \(option)-fd NUMBER.")
    }
    let noun = kind.question
    let what = choice.isReplacement ? "New \(noun.prefix(1).lowercased())\(noun.dropFirst())" : noun
    let first = try terminal.readHidden("\(what) for \(subject): ")
    guard twice else { return first }
    let second = try terminal.readHidden("Type it again: ")
    guard first.isEqual(to: second) else {
      throw ToolError(.keyRefused, "The two entries differ. Nothing was done; try again.")
    }
    return first
  }

  private static let maximumCount = 4096

  /// Reads a line without showing it.
  ///
  /// An empty line is an empty secret.
  ///
  /// Control-C ends the process as usual. Control-Z suspends it. When the process continues, the
  /// question is shown again and earlier input is discarded.
  borrowing func readHidden(_ question: String) throws -> Secret {
    // The echo is turned off before the question, so that early input is not shown.
    let mode = try TerminalMode(descriptor, question: question, sendsSignals: true)
    defer {
      mode.restore()
      say("\n")
    }
    say(question)
    var buffer = Secret(count: Self.maximumCount)
    var count = 0
    while true {
      var byte: UInt8 = 0
      let answer = read(descriptor, &byte, 1)
      if answer < 0, errno == EINTR { continue }
      guard answer == 1 else {
        throw ToolError(.keyRefused, "The terminal was closed before the key was entered.")
      }
      if mode.takeContinued() { count = 0 }
      switch byte {
      case 0x0A, 0x0D:
        return buffer.prefix(count)
      case 0x04 where count == 0:
        throw ToolError(.keyRefused, "No key was entered.")
      case 0x08, 0x7F:
        buffer.withUnsafeMutableBytes { bytes in
          // A character can have several bytes. Remove them up to its first byte.
          while count > 0 {
            count -= 1
            let removed = bytes[count]
            bytes[count] = 0
            if removed & 0xC0 != 0x80 { break }
          }
        }
      case 0x15:
        count = 0
      default:
        guard count < Self.maximumCount else {
          throw ToolError(
            .keyRefused,
            "A typed key has at most \(Self.maximumCount) bytes. Put a longer one into a file.")
        }
        buffer.withUnsafeMutableBytes { $0[count] = byte }
        count += 1
      }
    }
  }

  // MARK: Answers

  /// Asks a yes-or-no question.
  ///
  /// Returns whether the answer is yes.
  borrowing func confirm(_ question: String) throws -> Bool {
    let word = readLine("\(question) [y/N] ", atMost: 16).lowercased()
    return word == "y" || word == "yes"
  }

  /// Asks for a line that is shown while it is typed.
  borrowing func readLine(_ question: String, atMost limit: Int = 4096) -> String {
    say(question)
    var answer: [UInt8] = []
    while answer.count < limit {
      var byte: UInt8 = 0
      let count = read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1, byte != 0x0A, byte != 0x0D else { break }
      answer.append(byte)
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Shows text, escaped except for its line feeds.
  borrowing func say(_ text: String) {
    Array(PrintableText.escapedLines(text).utf8).withUnsafeBytes { _ = systemWrite(descriptor, $0) }
  }
}

extension SlotKind {
  /// The name of the kind in questions.
  var question: String {
    switch self {
    case .passphrase: "Passphrase"
    case .recoveryCode: "Recovery code"
    case .keyFile: "Key file"
    case .raw: "Raw key (hexadecimal)"
    case .recipient: "Identity"
    case .provider: "Key provider"
    }
  }
}
