#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where formatted objects go: standard output, or a file.
protocol ByteOutput: AnyObject {
  func write(_ bytes: [UInt8]) throws
}

extension ByteOutput {
  func write(_ text: String) throws { try write(Array(text.utf8)) }
}

/// Collects bytes and writes them to a descriptor in large pieces.
final class DescriptorOutput: ByteOutput {
  private let descriptor: Int32
  private let name: String
  private var buffer: [UInt8] = []
  private static let capacity = 64 << 10

  /// - Parameter name: What errors call the target.
  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    buffer.reserveCapacity(Self.capacity)
  }

  func write(_ bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { try flush() }
  }

  /// Writes what was collected.
  ///
  /// - Throws: ``OutputClosed`` where nobody reads any more; ``ToolError`` otherwise.
  func flush() throws {
    var start = 0
    // Whatever fails, the same bytes are not tried twice.
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

  /// A terminal or pipe that somebody else switched to not blocking.
  private func waitUntilWritable() throws {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&request, 1, -1)
  }
}

/// Standard output, shared by all that the tool prints.
enum StandardOutput {
  // One thread writes: the tool has no other that prints.
  nonisolated(unsafe) static let shared = DescriptorOutput(1, name: "standard output")

  /// Whether a person reads it.
  static var isTerminal: Bool { isatty(1) == 1 }

  /// The width of the terminal in columns, or `nil` where there is none.
  static var terminalWidth: Int? {
    isTerminal ? columns(of: 1) : nil
  }

  /// The height of the terminal in rows; 24 if it does not tell.
  static var terminalHeight: Int {
    var size = winsize()
    guard ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }
}

/// Standard error: never collected, and a failure to write to it is nobody's concern.
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

/// The width of a terminal; 80 where it does not tell.
private func columns(of descriptor: Int32) -> Int {
  var size = winsize()
  guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
  return Int(size.ws_col)
}

func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

/// The system's words for one of its error numbers.
func systemErrorText(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
