import ObjectVaultEngine

/// What stands for the content of a row, so that a result can be compared with the one before it
/// without keeping that.
///
/// 128 bits of SipHash, which Swift's `Hasher` is, under a key that is new in every process: nobody
/// can write rows of which two have the same.
struct RowDigest: Hashable, Sendable {
  private var high: Int
  private var low: Int

  /// Digests the storage classes and bytes of all columns.
  init(_ row: Row) {
    self.init { hasher in
      for column in 0..<row.columnCount {
        let storage = row.storage(at: column)
        hasher.combine(storage)
        switch storage {
        case .null: break
        case .integer: hasher.combine(row.integer(at: column))
        case .real: hasher.combine(row.real(at: column).bitPattern)
        case .text, .blob:
          row.withBytes(at: column) { bytes in
            hasher.combine(bytes.count)
            hasher.combine(bytes: bytes)
          }
        }
      }
    }
  }

  /// Digests the content of an owner and of one more object that belongs to it.
  init(_ owner: RowDigest, with owned: RowDigest) {
    self.init { hasher in
      hasher.combine(owner)
      hasher.combine(owned)
    }
  }

  private init(_ content: (inout Hasher) -> Void) {
    var hasher = Hasher()
    content(&hasher)
    high = hasher.finalize()
    // Under one key, what begins otherwise gives a number that the first one tells nothing of.
    hasher = Hasher()
    hasher.combine(1 as UInt8)
    content(&hasher)
    low = hasher.finalize()
  }
}
