import ObjectVaultCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Questions to the person at the terminal, whatever standard input and output are.
struct TerminalPrompt: ~Copyable {
  private let descriptor: Int32
  private let mustClose: Bool

  /// - Returns: `nil` where the process has no terminal.
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
  ///   - choice: What options could have said instead.
  ///   - kind: What is asked for.
  ///   - subject: What the key is for.
  ///   - twice: Whether it is asked for again, to find slips.
  static func askForKey(
    _ choice: KeyChoice, _ kind: SlotKind, for subject: String, twice: Bool
  ) throws -> Secret {
    let option = choice.option
    guard let terminal = TerminalPrompt() else {
      throw ToolError(
        .usage,
        "No \(choice.isReplacement ? "new " : "")key was given, and there is no terminal to ask on. "
          + "Give \(option)-file PATH, \(option)-env NAME or \(option)-fd NUMBER.")
    }
    let noun = kind.question
    let what = choice.isReplacement ? "New \(noun.prefix(1).lowercased())\(noun.dropFirst())" : noun
    let first = try terminal.readHidden("\(what) for \(subject): ")
    guard twice else { return first }
    let second = try terminal.readHidden("The same again: ")
    guard first.isEqual(to: second) else {
      throw ToolError(.keyRefused, "The two entries differ. Nothing was done; try again.")
    }
    return first
  }

  private static let maximumCount = 4096

  /// Reads a line that is not shown; an empty one is an empty secret.
  ///
  /// Control-C ends the process, as everywhere. Control-Z suspends it; when it continues, the
  /// question is shown again and what was typed before is dropped.
  borrowing func readHidden(_ question: String) throws -> Secret {
    // The echo goes before the question comes, so that nothing typed early shows.
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
        throw ToolError(.keyRefused, "The terminal went away before the key was entered.")
      }
      if mode.takeContinued() { count = 0 }
      switch byte {
      case 0x0A, 0x0D:
        return buffer.prefix(count)
      case 0x04 where count == 0:
        throw ToolError(.keyRefused, "No key was entered.")
      case 0x08, 0x7F:
        buffer.withUnsafeMutableBytes { bytes in
          // A character may be several bytes: up to its first one.
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
            "A key typed in has at most \(Self.maximumCount) bytes. Put a longer one into a file.")
        }
        buffer.withUnsafeMutableBytes { $0[count] = byte }
        count += 1
      }
    }
  }

  // MARK: Answers

  /// Asks a question that is answered with yes or no.
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

  /// Shows text.
  borrowing func say(_ text: String) {
    Array(text.utf8).withUnsafeBytes { _ = systemWrite(descriptor, $0) }
  }
}

extension SlotKind {
  /// What a question calls it.
  var question: String {
    switch self {
    case .passphrase: "Passphrase"
    case .recoveryCode: "Recovery code"
    case .keyFile: "Key file"
    case .raw: "Raw key (hexadecimal)"
    }
  }
}
