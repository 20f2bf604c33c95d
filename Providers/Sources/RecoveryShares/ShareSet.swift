internal import KeyProviderProgram

/// The shares of one set that were entered.
public struct ShareSet: ~Copyable {
  /// The numbers of the shares, in the order of their entry.
  public private(set) var numbers: [Int] = []
  private var first: (set: [UInt8], name: String, needed: Int, total: Int)?
  var data = ProtectedBytes(count: RecoveryShare.dataCount * RecoveryShares.maximum)

  /// Creates a set without shares.
  public init() {}

  /// The text of the set; `nil` before the first share.
  public var setName: String? { first?.name }

  /// The number of shares that are still needed; 2 before the first share.
  public var missing: Int { max(0, (first?.needed ?? 2) - numbers.count) }

  /// Adds a share.
  ///
  /// - Parameter share: The share.
  /// - Throws: An error if the share is of another set or was entered before.
  public mutating func add(_ share: borrowing RecoveryShare) throws(SharesError) {
    if let first {
      guard first.set == share.set, first.needed == share.needed, first.total == share.total else {
        throw SharesError(
          "The share \(share.number) is of the set \(share.setName), but the first share is of the "
            + "set \(first.name). Use shares of one set.")
      }
    }
    guard !numbers.contains(share.number) else {
      throw SharesError(
        "The share \(share.number) is entered twice. Use different shares of the set.")
    }
    first = first ?? (share.set, share.setName, share.needed, share.total)
    let start = numbers.count * RecoveryShare.dataCount
    data.withUnsafeMutableBytes { data in
      share.data.withUnsafeBytes { share in
        UnsafeMutableRawBufferPointer(rebasing: data[start..<(start + share.count)])
          .copyBytes(from: share)
      }
    }
    numbers.append(share.number)
  }
}
