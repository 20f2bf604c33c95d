import ObjectVaultDriver

/// A digest of the content of a row, for comparing results without storing the former one.
///
/// It has 128 bits of SipHash, the algorithm of Swift's `Hasher`, with a key that is new in every
/// process. An attacker therefore cannot write two rows with equal digests.
struct RowDigest: Hashable, Sendable {
  private let high: Int
  private let low: Int

  /// Creates a digest of the storage classes and bytes of all columns, reading each column once.
  init(_ row: Row) {
    var hashers = Hashers()
    for column in 0..<row.columnCount {
      let storage = row.storage(at: column)
      hashers.combine(storage)
      switch storage {
      case .null: break
      case .integer: hashers.combine(row.integer(at: column))
      case .real: hashers.combine(row.real(at: column).bitPattern)
      case .text, .blob: row.withBytes(at: column) { hashers.combine(bytes: $0) }
      }
    }
    self.init(hashers)
  }

  /// Creates a digest of the content of an owner and one more owned object.
  init(_ owner: RowDigest, with owned: RowDigest) {
    var hashers = Hashers()
    hashers.combine(owner)
    hashers.combine(owned)
    self.init(hashers)
  }

  private init(_ hashers: Hashers) {
    high = hashers.first.finalize()
    low = hashers.second.finalize()
  }

  /// Two hashers with one key; the prefix of the second makes its result independent of the first.
  private struct Hashers {
    var first = Hasher()
    var second = Hasher()

    init() { second.combine(1 as UInt8) }

    mutating func combine(_ value: some Hashable) {
      first.combine(value)
      second.combine(value)
    }

    mutating func combine(bytes: UnsafeRawBufferPointer) {
      combine(bytes.count)
      first.combine(bytes: bytes)
      second.combine(bytes: bytes)
    }
  }
}
