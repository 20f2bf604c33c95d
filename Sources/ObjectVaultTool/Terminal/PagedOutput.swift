import ObjectVaultTerminal

/// Standard output on a terminal, one screen at a time.
final class PagedOutput: ByteOutput {
  private let output: DescriptorOutput
  private let nextKey: () throws -> KeyPress
  private let size: (rows: Int, columns: Int)
  private var rows = 0
  private var line: [UInt8] = []
  /// Whether the user ended the output.
  private var isEnded = false

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - output: The output of the terminal.
  ///   - size: The size of the terminal in rows and columns.
  ///   - nextKey: A closure that reads a key.
  init(
    _ output: DescriptorOutput, size: (rows: Int, columns: Int),
    nextKey: @escaping () throws -> KeyPress
  ) {
    self.output = output
    self.size = (max(2, size.rows), max(10, size.columns))
    self.nextKey = nextKey
  }

  /// Writes text, unless the user ended the output.
  ///
  /// - Parameter bytes: The text in UTF-8.
  /// - Throws: ``Stopped`` after a signal.
  func write(_ bytes: [UInt8]) throws {
    try StopSignals.check("Stopped.")
    for byte in bytes where !isEnded {
      line.append(byte)
      if byte == 0x0A { try writeLine() }
    }
  }

  /// Begins a new screen after the output so far.
  func begin() throws {
    try output.write(line)
    try output.flush()
    line = []
    rows = 0
    isEnded = false
  }

  private func writeLine() throws {
    let width = DisplayWidth.of(String(decoding: line.dropLast(), as: UTF8.self))
    let needed = max(1, (width + size.columns - 1) / size.columns)
    if rows + needed > size.rows - 1, rows > 0 { try ask() }
    guard !isEnded else {
      line = []
      return
    }
    try output.write(line)
    line = []
    rows += needed
  }

  private func ask() throws {
    try output.write("-- more (space: next screen, return: next line, q: quit) --")
    try output.flush()
    defer { StandardError.write("\r\u{1B}[K") }
    while true {
      switch try nextKey() {
      case .text(" "):
        rows = 0
        return
      case .enter, .down:
        rows -= 1
        return
      case .text("q"), .control("c"), .control("d"), .endOfInput:
        isEnded = true
        return
      default: continue
      }
    }
  }
}
