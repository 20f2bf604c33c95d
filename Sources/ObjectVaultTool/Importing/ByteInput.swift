import ObjectVaultTerminal

import ObjectVaultPlatform

/// The bytes of a file or of standard input, read in blocks.
///
/// The input can be read more than once if needed.
final class ByteInput {
  /// The name in errors: `'people.csv'` or `standard input`.
  let name: String
  /// The total number of bytes, if known.
  private(set) var size: Int64?
  /// The number of bytes that were consumed.
  private(set) var position: Int64 = 0
  private let descriptor: Int32
  private let mustClose: Bool
  /// The offset at which reading began in a file; `nil` for a pipe, which cannot be read again.
  private let start: Int64?
  private var block: [UInt8] = []
  private var index = 0
  /// The whole content of a pipe that must be read again.
  private var kept: [UInt8]?

  private static let blockSize = 64 << 10

  /// Opens a file, or standard input if the path is `-`.
  convenience init(path: String) throws {
    if path == "-" {
      self.init(descriptor: 0, name: "standard input", mustClose: false)
      return
    }
    let name = PrintableText.escaped(path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ToolError(
        .noInput,
        "The file '\(name)' cannot be opened: \(systemErrorText(errno)). Check the path.")
    }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      close(descriptor)
      throw ToolError(.noInput, "'\(name)' is a folder. Name a file.")
    }
    self.init(descriptor: descriptor, name: "'\(name)'", mustClose: true)
  }

  init(descriptor: Int32, name: String, mustClose: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.mustClose = mustClose
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      let offset = Int64(lseek(descriptor, 0, SEEK_CUR))
      start = offset
      size = max(0, Int64(status.st_size) - offset)
    } else {
      start = nil
    }
  }

  /// Creates an input from bytes in memory.
  init(bytes: [UInt8], name: String) {
    descriptor = -1
    mustClose = false
    start = nil
    self.name = name
    kept = bytes
    block = bytes
    size = Int64(bytes.count)
  }

  deinit {
    if mustClose { close(descriptor) }
  }

  /// Returns the next byte without consuming it, or `nil` at the end.
  func peek() throws -> UInt8? {
    if index == block.count, try !refill() { return nil }
    return block[index]
  }

  /// Returns the next byte, or `nil` at the end.
  func next() throws -> UInt8? {
    if index == block.count, try !refill() { return nil }
    defer {
      index += 1
      position += 1
    }
    return block[index]
  }

  /// Returns the bytes up to the next line feed, without it, or `nil` at the end.
  func nextLine() throws -> [UInt8]? {
    guard try peek() != nil else { return nil }
    var line: [UInt8] = []
    repeat {
      if let end = block[index...].firstIndex(of: 0x0A) {
        line.append(contentsOf: block[index..<end])
        position += Int64(end + 1 - index)
        index = end + 1
        return line
      }
      line.append(contentsOf: block[index...])
      position += Int64(block.count - index)
      index = block.count
    } while try refill()
    return line
  }

  /// Returns some bytes that were already read, and after them all remaining bytes.
  func rest(after read: [UInt8] = []) throws -> [UInt8] {
    var bytes = read
    // A file can grow meanwhile.
    if let size { bytes.reserveCapacity(read.count + Int(max(0, size - position))) }
    while try peek() != nil {
      bytes.append(contentsOf: block[index...])
      position += Int64(block.count - index)
      index = block.count
    }
    return bytes
  }

  /// Returns up to 64 KiB of the next bytes without consuming them.
  ///
  /// They include the rest of the line, unless the line is longer.
  func lookAhead() throws -> ArraySlice<UInt8> {
    guard try peek() != nil else { return [] }
    guard kept == nil else { return block[index...].prefix(Self.blockSize) }
    while block.count - index < Self.blockSize, !block[index...].contains(0x0A), try readMore() {}
    return block[index...]
  }

  func skipByteOrderMark() throws {
    guard try peek() == 0xEF else { return }
    while block.count - index < 3, try readMore() {}
    guard block[index...].starts(with: [0xEF, 0xBB, 0xBF]) else { return }
    index += 3
    position += 3
  }

  /// Reads bytes after those that are not consumed, because a pipe can deliver them in pieces.
  ///
  /// - Returns: Whether there were more bytes.
  /// - Throws: ``ToolError`` if reading fails.
  private func readMore() throws -> Bool {
    let seen = Array(block[index...])
    let hasMore = try refill()
    block = hasMore ? seen + block : seen
    index = 0
    return hasMore
  }

  /// Makes ``rewind()`` possible by reading the content of a pipe into memory.
  ///
  /// The content is not written to a file, which would contain the objects in plaintext.
  ///
  /// - Parameter read: The bytes that were already read before the current position.
  /// - Throws: ``ToolError`` if reading fails.
  func makeRewindable(after read: [UInt8] = []) throws {
    guard !canRewind else { return }
    var bytes = read + block[index...]
    index = block.count
    while try refill() {
      bytes.append(contentsOf: block)
      index = block.count
    }
    kept = bytes
    size = Int64(bytes.count)
    block = bytes
    index = 0
    position = 0
  }

  /// Whether ``rewind()`` is possible.
  var canRewind: Bool { start != nil || kept != nil }

  /// Returns to the first byte.
  func rewind() throws {
    if let kept {
      block = kept
    } else {
      guard let start, lseek(descriptor, off_t(start), SEEK_SET) >= 0 else {
        throw ToolError(.inputOutput, "\(name) cannot be read twice. Use a file.")
      }
      block = []
    }
    index = 0
    position = 0
  }

  private func refill() throws -> Bool {
    guard kept == nil else { return false }
    if block.count != Self.blockSize { block = [UInt8](repeating: 0, count: Self.blockSize) }
    while true {
      let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ToolError(.inputOutput, "Reading \(name) failed: \(systemErrorText(errno)).")
      }
      if count < block.count { block.removeSubrange(count...) }
      index = 0
      return count > 0
    }
  }
}
