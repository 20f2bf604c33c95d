internal import ObjectVaultPlatform

/// The exchange of lines with one started program, within the limits of the protocol.
struct PluginExchange: ~Copyable {
  private let name: String
  private let isCancelled: @Sendable () -> Bool
  private var process: PluginProcess
  private var deadline: ContinuousClock.Instant
  private let timeLimit: Duration
  private var received = SecretBuffer()
  private var receivedCount = 0
  private var diagnostics: [UInt8] = []
  private var hasOutputEnded = false

  /// Starts the program of a provider.
  ///
  /// - Throws: `providerMissing`, `providerFailed`, or `invalidKey` for an invalid name or path.
  init(
    with program: PluginProgram, timeLimit: Duration, isCancelled: @escaping @Sendable () -> Bool
  ) throws(KeyError) {
    name = program.name
    self.isCancelled = isCancelled
    self.timeLimit = timeLimit
    deadline = .now + timeLimit
    process = try PluginProcess(starting: try program.locate(), of: program.name)
  }

  /// Sends lines.
  ///
  /// Ignores a program that no longer reads: its response says why.
  mutating func send(_ lines: borrowing Secret) throws(KeyError) {
    var sent = 0
    while sent < lines.count, process.input >= 0, !hasOutputEnded {
      try advance(sending: lines, from: &sent)
    }
  }

  /// Returns the next line of the program, without its newline.
  ///
  /// - Throws: `providerFailed` if the program ends, exceeds a limit, or sends another character
  ///   than printable ASCII.
  mutating func line() throws(KeyError) -> Secret {
    let nothing = Secret(count: 0)
    var sent = 0
    while true {
      if let line = received.removeLine() {
        guard line.count < PluginLimits.line else { throw tooMuch("more than a line") }
        guard line.withUnsafeBytes({ $0.allSatisfy { (0x20...0x7E).contains($0) } }) else {
          throw failure("sent a line that is not ASCII text.")
        }
        return line
      }
      guard received.count < PluginLimits.line else { throw tooMuch("more than a line") }
      guard !hasOutputEnded else { throw ended() }
      try advance(sending: nothing, from: &sent)
    }
  }

  /// Calls a closure in which a person answers; its time does not count.
  mutating func withoutTime<Result: ~Copyable>(
    _ body: () throws -> Result
  ) rethrows -> Result {
    let start = ContinuousClock.now
    defer { deadline += start.duration(to: .now) }
    return try body()
  }

  /// Closes the streams and waits a moment for the end of the program.
  consuming func finish() {
    process.closeInput()
    let limit = ContinuousClock.now + PluginLimits.ending
    var pause: useconds_t = 500
    while process.reap() == nil, .now < limit, !isCancelled() {
      usleep(pause)
      pause = min(2 * pause, 20_000)
    }
  }

  /// Returns the error that the program broke the protocol or failed.
  func failure(_ predicate: String, detail: String? = nil) -> KeyError {
    KeyError(
      .providerFailed,
      "The program of the key provider '\(name)' \(predicate) Check that it is the right program "
        + "and that it works.",
      detail: detail)
  }

  // MARK: Waiting

  /// Waits until the program reads or writes, moves as many bytes as possible, and checks the time.
  private mutating func advance(
    sending lines: borrowing Secret, from sent: inout Int
  ) throws(KeyError) {
    try checkTime()
    let isSending = sent < lines.count
    var descriptors = [
      pollfd(fd: process.output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isSending ? process.input : -1, events: Int16(POLLOUT), revents: 0),
    ]
    // At most 50 ms, because a cancellation does not wake this thread.
    let left = ContinuousClock.now.duration(to: deadline) / Duration.milliseconds(1)
    let answer = poll(
      &descriptors, nfds_t(descriptors.count), Int32(max(1, min(50, left.rounded(.up)))))
    guard answer > 0 else { return }
    if descriptors[1].revents != 0 { readDiagnostics() }
    if descriptors[0].revents != 0 { try readOutput() }
    if descriptors[2].revents != 0 { write(lines, from: &sent) }
  }

  private func checkTime() throws(KeyError) {
    if isCancelled() {
      throw KeyError(
        .providerFailed, "The request to the key provider '\(name)' was cancelled.")
    }
    guard .now < deadline else {
      throw failure("did not respond within \(timeLimit.formattedSeconds).")
    }
  }

  private mutating func readOutput() throws(KeyError) {
    let output = process.output
    let count = received.append(atMost: 4096) { read(output, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    if count <= 0 { hasOutputEnded = true }
    receivedCount += max(0, count)
    guard receivedCount <= PluginLimits.output else { throw tooMuch("more than all lines") }
  }

  private mutating func readDiagnostics() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(process.errors, &bytes, bytes.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else { return process.closeErrors() }
    // The rest is read and dropped, so that the program does not wait for it to be read.
    diagnostics += bytes.prefix(min(count, 4096 - diagnostics.count))
  }

  private mutating func write(_ lines: borrowing Secret, from sent: inout Int) {
    let count = lines.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
      return sendWithoutSignal(process.input, rest)
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    if count < 0 { return process.closeInput() }
    sent += count
  }

  // MARK: Errors

  private func tooMuch(_ subject: String) -> KeyError {
    failure("sent \(subject) of the protocol can contain.")
  }

  private mutating func ended() -> KeyError {
    let limit = ContinuousClock.now + PluginLimits.ending
    var ending = process.reap()
    while ending == nil, .now < limit {
      usleep(1_000)
      ending = process.reap()
    }
    while process.errors >= 0, diagnostics.count < 4096, hasDiagnostics() { readDiagnostics() }
    let text = PluginText.sanitised(diagnostics, maximum: PluginLimits.diagnostics)
    return failure(
      "\(ending?.description ?? "closed its output") without a response.",
      detail: text.isEmpty ? nil : "Its diagnostics: \(text)")
  }

  private func hasDiagnostics() -> Bool {
    var descriptor = pollfd(fd: process.errors, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }
}

/// Writes to a socket; a closed end is an error without a signal.
private func sendWithoutSignal(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    send(socket, bytes.baseAddress, bytes.count, 0)
  #else
    send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}

extension Duration {
  /// The duration in seconds, for messages.
  fileprivate var formattedSeconds: String {
    let seconds = self / .seconds(1)
    let isWhole = seconds == seconds.rounded()
    return isWhole ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
