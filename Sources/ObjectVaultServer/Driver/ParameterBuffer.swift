internal import CPostgreSQL
import ObjectVaultDriver

/// The memory for the values of a statement that is sent, which is used again and again.
struct ParameterBuffer {
  /// The bytes of all values. A value without bytes needs an address, too: nil would be NULL.
  private var bytes: [UInt8] = [0]
  /// The start of each value in the bytes; -1 for NULL.
  private var starts: [Int] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []
  private var pointers: [UnsafePointer<CChar>?] = []
  /// The number of bytes above which the memory is released after the values were sent.
  static let retainedBytes = 1 << 20

  /// The number of bytes that the buffer holds for values.
  var capacity: Int { bytes.capacity }

  /// Sends a run of a prepared statement.
  ///
  /// - Parameters:
  ///   - name: The name of the statement.
  ///   - values: The values of its parameters.
  ///   - server: The connection of the client library.
  /// - Returns: 1 if it succeeded.
  mutating func send(_ name: String, _ values: [BoundValue], to server: OpaquePointer?) -> CInt {
    bytes.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    pointers.removeAll(keepingCapacity: true)
    while formats.count < values.count { formats.append(1) }
    for value in values {
      let start = bytes.count
      bytes.append(of: value)
      starts.append(value.isNull ? -1 : start)
      lengths.append(Int32(bytes.count - start))
    }
    bytes.append(0)
    // The client library has a copy then.
    defer { if bytes.capacity > Self.retainedBytes { bytes = [] } }
    return bytes.withUnsafeBytes { buffer in
      let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      for start in starts { pointers.append(start < 0 ? nil : base?.advanced(by: start)) }
      return PQsendQueryPrepared(
        server, name, Int32(values.count), pointers, lengths, formats, 1)
    }
  }
}

extension [UInt8] {
  /// Appends a value in the binary format; nothing for NULL.
  mutating func append(of value: BoundValue) {
    switch value {
    case .null: break
    case .integer(let value): append(bigEndian: value)
    case .real(let value): append(bigEndian: value.bitPattern)
    case .text(let bytes), .blob(let bytes): append(contentsOf: bytes)
    }
  }

  /// Appends an integer in the order of bytes of a network.
  mutating func append<I: FixedWidthInteger>(bigEndian value: I) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}
