#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The lines between a program and its host.
public final class ProviderChannel {
  private static let maximumLine = 65_536
  private let input: Int32
  private let output: Int32
  private var buffer = ProtectedBytes(count: maximumLine)
  private var filled = 0
  private var prompts = 0

  /// Creates a channel.
  ///
  /// - Parameters:
  ///   - input: The descriptor to read from.
  ///   - output: The descriptor to write to.
  public init(input: Int32 = 0, output: Int32 = 1) {
    self.input = input
    self.output = output
  }

  /// Returns the next line without its newline; `nil` if there is none.
  func line() -> ProtectedBytes? {
    while true {
      let end = buffer.withUnsafeBytes { $0.prefix(filled).firstIndex(of: 0x0A) }
      if let end { return removeLine(before: end) }
      guard filled < Self.maximumLine else { return nil }
      let count = buffer.withUnsafeMutableBytes { bytes in
        read(input, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      filled += count
    }
  }

  private func removeLine(before end: Int) -> ProtectedBytes {
    let line = buffer.withUnsafeBytes { ProtectedBytes(copying: $0.prefix(end)) }
    buffer.withUnsafeMutableBytes { bytes in
      let rest = bytes[(end + 1)..<filled]
      bytes.copyBytes(from: UnsafeRawBufferPointer(rebasing: rest))
    }
    filled -= end + 1
    return line
  }

  /// Sends a line of words and a value.
  func send(_ words: String, _ value: borrowing ProtectedBytes) {
    let text = value.base64()
    var line = ProtectedBytes(count: words.utf8.count + text.count + 2)
    line.withUnsafeMutableBytes { line in
      line.copyBytes(from: words.utf8)
      line[words.utf8.count] = 0x20
      text.withUnsafeBytes { text in
        UnsafeMutableRawBufferPointer(rebasing: line[(words.utf8.count + 1)...])
          .copyBytes(from: text)
      }
      line[line.count - 1] = 0x0A
    }
    write(line)
  }

  /// Sends a line of words and a text, cut at the limit of the protocol.
  func send(_ words: String, text: String) {
    var text = text
    while text.utf8.count > 1_000 { text.removeLast() }
    send(words, ProtectedBytes(copying: text.utf8))
  }

  /// Sends the first line of the protocol.
  func sendVersion() { write(ProtectedBytes(copying: "objectvault-key 1\n".utf8)) }

  /// Prompts a person through the host.
  ///
  /// - Parameter text: The prompt.
  /// - Returns: The answer.
  /// - Throws: `cancelled` if the host refuses the prompt.
  func answer(to text: String) throws(ProviderError) -> ProtectedBytes {
    prompts += 1
    guard prompts <= 8 else { throw .failed("The program prompts more often than allowed.") }
    send("prompt", text: text)
    guard let line = line() else { throw .cancelled }
    guard let answer = RequestLine(line), answer.keyword == "answer" else { throw .cancelled }
    return answer.takeValue()
  }

  private func write(_ line: borrowing ProtectedBytes) {
    line.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = systemWrite(output, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        sent += count
      }
    }
  }
}

private func systemWrite(_ output: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  write(output, start, count)
}

/// A line of a host: a keyword, and a value in base64.
struct RequestLine: ~Copyable {
  let keyword: String
  private let value: ProtectedBytes

  /// Reads a line; returns `nil` if the value is not canonical base64.
  init?(_ line: borrowing ProtectedBytes) {
    let end = line.withUnsafeBytes { $0.firstIndex(of: 0x20) ?? $0.count }
    keyword = line.withUnsafeBytes { String(decoding: $0.prefix(end).prefix(20), as: UTF8.self) }
    let text = line.withUnsafeBytes { ProtectedBytes(copying: $0.dropFirst(end + 1)) }
    guard let value = text.decodedBase64() else { return nil }
    self.value = value
  }

  /// Returns the value.
  consuming func takeValue() -> ProtectedBytes { value }
}
