import ObjectVaultEngine

/// What stands for the content of a row, so that a result can be compared with the one before it
/// without keeping that.
///
/// 128 bits of SipHash, which Swift's `Hasher` is, under a key that is new in every process: nobody
/// can write rows of which two have the same.
struct RowDigest: Hashable, Sendable {
  private let high: Int
  private let low: Int

  /// Digests the storage classes and bytes of all columns, each of which is read once.
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

  /// Digests the content of an owner and of one more object that belongs to it.
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

  /// Two of one key: what begins otherwise gives a number that the first one tells nothing of.
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
