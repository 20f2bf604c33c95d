import ObjectVaultTerminal

import ObjectVaultPlatform

/// A buffered output to a descriptor.
final class DescriptorOutput: ByteOutput {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []
  private static let capacity = 64 << 10

  /// Creates an output.
  ///
  /// `name` is the name of the destination in errors.
  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    buffer.reserveCapacity(Self.capacity)
  }

  func write(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Writes the buffered bytes.
  ///
  /// - Throws: ``OutputClosed`` if the reader closed the output; ``ToolError`` for other failures.
  func flush() throws {
    var start = 0
    // After a failure, the same bytes are not written again.
    defer { buffer.removeAll(keepingCapacity: true) }
    while start < buffer.count {
      let written = buffer.withUnsafeBytes { bytes in
        systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: bytes[start...]))
      }
      if written >= 0 {
        start += written
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: try waitUntilWritable()
      case EPIPE: throw OutputClosed()
      default:
        throw ToolError(
          .inputOutput, "Writing to \(name) failed: \(systemErrorText(errno)).")
      }
    }
  }

  /// Waits for a terminal or pipe that another process set to nonblocking.
  private func waitUntilWritable() throws {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, -1)
  }
}

/// Standard output, shared by all output of the tool.
enum StandardOutput {
  // Only one thread of the tool writes output.
  nonisolated(unsafe) static let shared = DescriptorOutput(1, name: "standard output")

  /// Whether standard output is a terminal.
  static var isTerminal: Bool { isatty(1) == 1 }

  /// The width of the terminal in columns, or `nil` without a terminal.
  static var terminalWidth: Int? {
    isTerminal ? columns(of: 1) : nil
  }

  /// The height of the terminal in rows; 24 if it is unknown.
  static var terminalHeight: Int {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }
}

/// Standard error.
///
/// It is not buffered, and write errors are ignored.
enum StandardError {
  static func write(_ text: String) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let written = bytes.withUnsafeBytes {
        systemWrite(2, UnsafeRawBufferPointer(rebasing: $0[start...]))
      }
      if written <= 0 {
        if written < 0, errno == EINTR { continue }
        return
      }
      start += written
    }
  }

  static var isTerminal: Bool { isatty(2) == 1 }

  /// The width of the terminal in columns.
  static var terminalWidth: Int { columns(of: 2) }
}

/// Returns the width of a terminal; 80 if it is unknown.
private func columns(of descriptor: Int32) -> Int {
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
  return Int(size.ws_col)
}

func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// Returns the system's description of an error number.
func systemErrorText(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
