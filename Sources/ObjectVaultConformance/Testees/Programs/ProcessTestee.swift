import Foundation

import ObjectVaultPlatform

/// Another program as a testee, driven through the protocol defined in `Fixtures/README.md`.
///
/// ```swift
/// let testee = try ProcessTestee.start(.shell("python3 Fixtures/testee"))
/// defer { testee.close() }
/// ```
///
/// Each instance is used by one thread at a time; any number can run concurrently. An instance that
/// ended, violated the protocol or exceeded the time limit is not used again: every further request
/// throws ``TesteeEnded``.
package final class ProcessTestee: Testee {
  /// A command that starts a testee.
  package enum Command: Sendable, Hashable, CustomStringConvertible {
    /// A program and its arguments.
    ///
    /// A name without a slash is searched in `PATH`.
    case program([String])
    /// The text of a command for `/bin/sh`.
    case shell(String)

    package var description: String {
      switch self {
      case .program(let arguments): arguments.joined(separator: " ")
      case .shell(let text): text
      }
    }

    fileprivate var arguments: [String] {
      switch self {
      case .program(let arguments): arguments
      case .shell(let text): ["/bin/sh", "-c", text]
      }
    }
  }

  /// The command that started the testee.
  package let command: Command
  /// The way in which the program ended; `nil` while it runs.
  package private(set) var end: ProcessEnd?

  private var program: ChildProgram
  private let timeLimit: Double
  private let isStopped: @Sendable () -> Bool
  private var received = LineBuffer()
  private var lastID = 0
  private var ended: TesteeEnded?

  /// The maximum time in seconds that a program may take to end after its input was closed.
  private static let grace = 5.0

  /// The maximum time between two calls of `isStopped`, in milliseconds.
  private static let stopInterval = 100.0

  private init(
    _ command: Command, timeLimit: Double, environment: [String: String],
    isStopped: @escaping @Sendable () -> Bool
  ) throws {
    self.command = command
    self.timeLimit = timeLimit
    self.isStopped = isStopped
    program = try ChildProgram.start(command.arguments, environment: environment)
  }

  deinit { close() }

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The command to run. Its standard error is shown.
  ///   - timeLimit: The maximum time in seconds for one answer, after which the program is killed.
  ///   - environment: The differences from this process's environment.
  ///   - isStopped: Returns whether to kill the program instead of waiting for an answer.
  /// - Returns: The testee.
  /// - Throws: ``TesteeEnded`` if the program cannot be started.
  package static func start(
    _ command: Command, timeLimit: Double = 60, environment: [String: String] = [:],
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws -> ProcessTestee {
    try ProcessTestee(
      command, timeLimit: timeLimit, environment: environment, isStopped: isStopped)
  }

  /// Closes the program's input, and kills the program if it does not end within five seconds.
  ///
  /// Further calls do nothing.
  package func close() {
    program.closeInput()
    if end == nil { end = program.finish(within: Self.grace).end }
    if ended == nil { ended = TesteeEnded(reason: "'\(command)' was closed.") }
  }

  // MARK: Answers

  package func answer(_ request: Request) throws -> Answer {
    if let ended { throw ended }
    lastID += 1
    let line = try exchange(ProtocolCoder.line(request, id: lastID), for: request)
    do {
      return try ProtocolCoder.answer(line, to: request, id: lastID)
    } catch {
      let start = String(decoding: line.prefix(200), as: UTF8.self)
      throw stop("answered '\(request.name)' with '\(start)': \(error.message)")
    }
  }

  /// Sends a line and waits for one.
  private func exchange(_ line: [UInt8], for request: Request) throws -> [UInt8] {
    var unsent = (line + [UInt8(ascii: "\n")])[...]
    let deadline = ContinuousClock.now + .seconds(timeLimit)
    while true {
      if let line = received.nextLine() {
        guard unsent.isEmpty else {
          throw stop("answered '\(request.name)' before it had read the request")
        }
        return line
      }
      if received.isTooLong { throw stop("wrote a line that is too long") }
      // Send and receive at the same time, so that neither side blocks until the other reads.
      let (canSend, canReceive) = waitForPipes(sending: !unsent.isEmpty, until: deadline)
      guard canSend || canReceive else {
        if isStopped() { throw stop("was killed, because the run was stopped") }
        throw stop("did not answer '\(request.name)' within \(timeLimit) seconds, and was killed")
      }
      if canSend { try send(&unsent) }
      if canReceive, try !receive() {
        throw endOfOutput(before: request)
      }
    }
  }

  /// Waits until one of the pipes is ready, the time is over, or the run is stopped.
  private func waitForPipes(
    sending: Bool, until deadline: ContinuousClock.Instant
  ) -> (canSend: Bool, canReceive: Bool) {
    var requests = [pollfd(fd: program.output, events: Int16(POLLIN), revents: 0)]
    if sending {
      requests.append(pollfd(fd: program.input, events: Int16(POLLOUT), revents: 0))
    }
    while true {
      let left = (deadline - .now) / .milliseconds(1)
      guard left > 0, !isStopped() else { return (false, false) }
      let count = poll(
        &requests, nfds_t(requests.count), Int32(min(left.rounded(.up), Self.stopInterval)))
      if count > 0 { return (sending && requests[1].revents != 0, requests[0].revents != 0) }
      if count < 0, errno != EINTR { return (false, true) }
    }
  }

  private func send(_ unsent: inout ArraySlice<UInt8>) throws {
    switch writeWithoutSignal(program.input, unsent) {
    case .written(let count): unsent = unsent.dropFirst(count)
    case .full: break
    // The program no longer reads. Its earlier output, if any, tells why.
    case .closed: unsent = []
    case .failed(let number): throw stop("cannot be written to: \(systemErrorText(number))")
    }
  }

  /// Reads available output.
  ///
  /// Returns whether more can follow.
  private func receive() throws -> Bool {
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    let count = chunk.withUnsafeMutableBytes { read(program.output, $0.baseAddress, $0.count) }
    if count > 0 { received.append(chunk[..<count]) }
    if count < 0, errno != EAGAIN, errno != EINTR {
      throw stop("cannot be read from: \(systemErrorText(errno))")
    }
    return count != 0
  }

  // MARK: Failures

  /// Returns the error of a program that closed its output.
  private func endOfOutput(before request: Request) -> TesteeEnded {
    program.closeInput()
    let (end, wasForced) = program.finish(within: Self.grace)
    self.end = end
    if wasForced {
      return fail("closed its output without answering '\(request.name)', and was killed")
    }
    return fail("ended with \(end) before it answered '\(request.name)'", wasKilled: end.wasKilled)
  }

  /// Ends an unusable program immediately and returns its error.
  private func stop(_ what: String) -> TesteeEnded {
    program.closeInput()
    if end == nil { end = program.finish(within: 0).end }
    return fail(what)
  }

  private func fail(_ what: String, wasKilled: Bool = false) -> TesteeEnded {
    let error = TesteeEnded(reason: "'\(command)' \(what).", wasKilled: wasKilled)
    ended = error
    return error
  }
}
