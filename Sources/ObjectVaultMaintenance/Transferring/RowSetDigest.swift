import ObjectVaultCondition
import ObjectVaultDriver
import ObjectVaultKeys

/// A digest of rows that does not depend on their order: the sum of the SHA-256 digests of the rows,
/// in four lanes of 64 bits.
///
/// It shows accidental differences. It is no protection against someone who can choose the rows.
struct RowSetDigest: Equatable {
  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
  /// The number of rows.
  private(set) var count: Int64 = 0

  static func == (a: RowSetDigest, b: RowSetDigest) -> Bool {
    a.lanes == b.lanes && a.count == b.count
  }

  /// Adds a row.
  ///
  /// - Parameter values: The values of the row.
  /// - Throws: ``VaultError`` if the cryptographic library fails.
  mutating func add(_ values: [StoredValue]) throws(KeyError) {
    var digest = try ContentDigest()
    for value in values { digest.update(value) }
    let bytes = try digest.finish()
    lanes.0 &+= Self.lane(bytes, 0)
    lanes.1 &+= Self.lane(bytes, 1)
    lanes.2 &+= Self.lane(bytes, 2)
    lanes.3 &+= Self.lane(bytes, 3)
    count += 1
  }

  private static func lane(_ bytes: [UInt8], _ number: Int) -> UInt64 {
    bytes[number * 8..<number * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension ContentDigest {
  /// Adds a value with its kind and its length.
  mutating func update(_ value: StoredValue) {
    switch value {
    case .null: update(UInt8(0))
    case .integer(let number):
      update(UInt8(1))
      update(number)
    case .real(let number):
      update(UInt8(2))
      update((number == 0 ? 0 : number).bitPattern)
    case .text(let text):
      var text = text
      update(UInt8(3))
      text.withUTF8 { update($0) }
    case .blob(let bytes):
      update(UInt8(4))
      bytes.withUnsafeBytes { update($0) }
    }
  }

  private mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    update(UnsafeRawBufferPointer(bytes), of: bytes.count)
  }

  private mutating func update(_ bytes: UnsafeRawBufferPointer, of count: Int) {
    update(count)
    update(bytes)
  }
}
