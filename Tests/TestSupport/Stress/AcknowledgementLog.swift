internal import Foundation

/// A file next to the vault with a line for each transfer that was committed.
///
/// Each line is on disk before the next transfer begins, so a commit that the vault loses is
/// detected.
final class AcknowledgementLog {
  private let descriptor: Int32
  /// The sequence number of the last acknowledged transfer; 0 if there is none.
  private(set) var last: Int

  /// Opens the log for appending and removes a line that a kill left incomplete.
  init(at path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    let size = lseek(descriptor, 0, SEEK_END)
    let tail = Self.tail(descriptor, size: size)
    let end = tail.lastIndex(of: UInt8(ascii: "\n")).map { tail.count - 1 - $0 } ?? tail.count
    if end > 0 { ftruncate(descriptor, size - off_t(end)) }
    last = Self.lastSequence(in: tail)
  }

  deinit { close(descriptor) }

  /// Appends a transfer and waits until it is on disk.
  func append(_ transfer: Transfer) throws {
    let line = "\(transfer.sequence) \(transfer.from) \(transfer.to) \(transfer.amount)\n"
    let written = line.withCString { write(descriptor, $0, strlen($0)) }
    guard written == line.utf8.count, fsync(descriptor) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    last = transfer.sequence
  }

  /// Returns the sequence number of the last transfer in a log; 0 if it has none.
  static func lastSequence(at path: String) -> Int {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    return lastSequence(in: tail(descriptor, size: lseek(descriptor, 0, SEEK_END)))
  }

  /// Returns all acknowledged transfers of a worker.
  static func transfers(at path: String, of worker: Int) throws -> [Transfer] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let numbers = line.split(separator: UInt8(ascii: " ")).map { number in
        number.reduce(0) { $0 * 10 + Int($1) - 48 }
      }
      guard numbers.count == 4 else { return nil }
      return Transfer(
        worker: worker, sequence: numbers[0], from: numbers[1], to: numbers[2],
        amount: numbers[3])
    }
  }

  /// Returns the end of the file, which contains some complete lines.
  private static func tail(_ descriptor: Int32, size: off_t) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(min(size, 400)))
    let start = size - off_t(bytes.count)
    let count = pread(descriptor, &bytes, bytes.count, start)
    return Array(bytes.prefix(max(count, 0)))
  }

  private static func lastSequence(in tail: [UInt8]) -> Int {
    let newline = UInt8(ascii: "\n")
    guard let end = tail.lastIndex(of: newline) else { return 0 }
    let start = tail[..<end].lastIndex(of: newline).map { $0 + 1 } ?? 0
    return tail[start..<end].prefix { $0 != UInt8(ascii: " ") }.reduce(0) { $0 * 10 + Int($1) - 48 }
  }
}
