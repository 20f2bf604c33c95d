import ObjectVaultTerminal

import ObjectVaultPlatform

/// A line editor with a history, for a terminal.
///
/// The history is stored in memory only, because conditions contain values. It ends with the
/// process.
final class LineEditor {
  /// The result of editing a line.
  enum Answer: Equatable {
    case line(String)
    /// Control-C: the line is discarded.
    case cancelled
    /// Control-D on an empty line, or a closed terminal.
    case end
  }

  private static let historyCount = 500

  private let descriptor: Int32
  private var history: [String] = []
  private var removed = ""

  /// Creates an editor, or returns `nil` if standard input is not a terminal that can move the
  /// cursor.
  init?() {
    guard isatty(0) == 1, isatty(1) == 1, let kind = getenv("TERM"),
      !["", "dumb"].contains(String(cString: kind))
    else { return nil }
    descriptor = 0
  }

  /// Reads a line.
  ///
  /// `prompt` is text of one line without control characters.
  func read(_ prompt: String) throws -> Answer {
    let mode = try TerminalMode(descriptor, question: "", sendsSignals: false)
    defer { mode.restore() }
    var typing = Typing(prompt: prompt, history: history)
    typing.show()
    while true {
      let key = KeyPress(nextByte)
      if mode.takeContinued() { typing.show() }
      switch key {
      case .enter:
        typing.leave(saying: "")
        remember(typing.line.text)
        return .line(typing.line.text)
      case .control("c"):
        typing.leave(saying: "^C")
        return .cancelled
      case .endOfInput:
        typing.leave(saying: "")
        return .end
      case .control("d") where typing.line.characters.isEmpty:
        typing.leave(saying: "")
        return .end
      case .control("z"):
        typing.leave(saying: "")
        raise(SIGTSTP)
      default:
        typing.perform(key, &removed)
      }
      typing.show()
    }
  }

  /// Reads one key.
  func readKey() throws -> KeyPress {
    let mode = try TerminalMode(descriptor, question: "", sendsSignals: false)
    defer { mode.restore() }
    return KeyPress(nextByte)
  }

  private func nextByte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = Self.systemRead(descriptor, &byte)
      if count < 0, errno == EINTR { continue }
      return count == 1 ? byte : nil
    }
  }

  private static func systemRead(_ descriptor: Int32, _ byte: inout UInt8) -> Int {
    ObjectVaultPlatform.read(descriptor, &byte, 1)
  }

  private func remember(_ line: String) {
    guard line.contains(where: { !$0.isWhitespace }), line != history.last else { return }
    history.append(line)
    if history.count > Self.historyCount { history.removeFirst() }
  }
}

/// The line that is being typed, and its position in the history.
private struct Typing {
  let prompt: String
  var line = EditedLine()
  /// The history, with the typed line at its end.
  private var lines: [String]
  private var place: Int

  init(prompt: String, history: [String]) {
    self.prompt = prompt
    lines = history + [""]
    place = history.count
  }

  /// Changes the line.
  ///
  /// `removed` is the text that was removed last, which Control-Y inserts.
  mutating func perform(_ key: KeyPress, _ removed: inout String) {
    switch key {
    case .text(let character): line.insert(String(character))
    case .backspace: line.remove(.left, by: .character)
    case .delete, .control("d"): line.remove(.right, by: .character)
    case .left, .control("b"): line.move(.left, by: .character)
    case .right, .control("f"): line.move(.right, by: .character)
    case .wordLeft, .alternate("b"): line.move(.left, by: .word)
    case .wordRight, .alternate("f"): line.move(.right, by: .word)
    case .home, .control("a"): line.move(.left, by: .line)
    case .end, .control("e"): line.move(.right, by: .line)
    case .control("k"): removed = line.remove(.right, by: .line)
    case .control("u"): removed = line.remove(.left, by: .line)
    case .control("w"): removed = line.remove(.left, by: .word)
    case .alternate("d"): removed = line.remove(.right, by: .word)
    case .control("y"): line.insert(removed)
    case .control("l"): write("\u{1B}[H\u{1B}[2J")
    case .up, .control("p"): recall(place - 1)
    case .down, .control("n"): recall(place + 1)
    default: break
    }
  }

  private mutating func recall(_ target: Int) {
    guard lines.indices.contains(target) else { return }
    lines[place] = line.text
    place = target
    line = EditedLine(lines[target])
  }

  /// Shows prompt, line and cursor in one row.
  ///
  /// Of a longer line it shows the part around the cursor.
  func show() {
    let width = max(10, StandardOutput.terminalWidth ?? 80)
    let head = DisplayWidth.cut(prompt, to: width / 2)
    let room = width - 1 - DisplayWidth.of(head)
    let cells = line.characters.map { PrintableText.escaped(String($0)) }
    let widths = cells.map { DisplayWidth.of($0) }
    var start = line.cursor
    var used = 0
    while start > 0, used + widths[start - 1] <= room {
      start -= 1
      used += widths[start]
    }
    var end = line.cursor
    var shown = used
    while end < cells.count, shown + widths[end] <= room {
      shown += widths[end]
      end += 1
    }
    let column = DisplayWidth.of(head) + used
    write(
      "\r\(head)\(cells[start..<end].joined())\u{1B}[K\r"
        + (column > 0 ? "\u{1B}[\(column)C" : ""))
  }

  /// Moves the cursor to the next row.
  func leave(saying text: String) { write("\(text)\n") }

  private func write(_ text: String) {
    Array(text.utf8).withUnsafeBytes { _ = systemWrite(1, $0) }
  }
}
