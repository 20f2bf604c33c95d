import ObjectVaultPlatform

/// A loop that serves a testee through the protocol, with one line per request and answer.
package struct ServeLoop {
  private let testee: any Testee
  private let input: Int32
  private let output: Int32

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - testee: The testee that answers.
  ///   - input: The descriptor that requests are read from.
  ///   - output: The descriptor that answers are written to. Nothing else may write to it.
  package init(_ testee: any Testee, input: Int32, output: Int32) {
    self.testee = testee
    self.input = input
    self.output = output
  }

  /// Answers requests until the input ends or the reader of the answers closes its end.
  ///
  /// The answer to an invalid line is `fails` with the code `internalError` and the `id` of the
  /// line, if it has one.
  ///
  /// - Throws: ``TesteeEnded`` if reading or writing a descriptor fails.
  package func run() throws {
    var lines = LineBuffer()
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      while let line = lines.nextLine() {
        guard try write(answer(line)) else { return }
      }
      let count = chunk.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN {
          wait(input, POLLIN)
          continue
        }
        throw TesteeEnded(reason: "Requests cannot be read: \(systemErrorText(errno)).")
      }
      if count == 0 { break }
      lines.append(chunk[..<count])
      if lines.isTooLong {
        _ = try write(
          ProtocolCoder.line(
            .fails(.init(code: Answer.internalErrorCode, message: "The line is too long.")),
            to: nil, id: nil))
        return
      }
    }
    if !lines.isEmpty { _ = try write(answer(lines.takeRest())) }
  }

  private func answer(_ line: [UInt8]) -> [UInt8] {
    do {
      let (id, request) = try ProtocolCoder.request(line)
      do {
        return ProtocolCoder.line(try testee.answer(request), to: request, id: id)
      } catch {
        let reason = (error as? TesteeEnded)?.reason ?? "\(error)"
        return ProtocolCoder.line(
          .fails(.init(code: Answer.internalErrorCode, message: reason)), to: request, id: id)
      }
    } catch {
      return ProtocolCoder.line(
        .fails(.init(code: Answer.internalErrorCode, message: error.message)), to: nil, id: error.id
      )
    }
  }

  /// Writes a line.
  ///
  /// Returns whether the reading end is open.
  private func write(_ line: [UInt8]) throws -> Bool {
    let bytes = line + [UInt8(ascii: "\n")]
    var start = 0
    while start < bytes.count {
      switch writeWithoutSignal(output, bytes[start...]) {
      case .written(let count): start += count
      case .full: wait(output, POLLOUT)
      case .closed: return false
      case .failed(let number):
        throw TesteeEnded(reason: "Answers cannot be written: \(systemErrorText(number)).")
      }
    }
    return true
  }

  private func wait(_ descriptor: Int32, _ event: some BinaryInteger) {
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    _ = poll(&request, 1, -1)
  }
}
