/// The keys of sealed properties, by number.
///
/// A vault with a keyring has sealing keys without further settings. Any other vault needs them in
/// its configuration if one of its classes has a sealed property:
///
/// ```swift
/// configuration.sealingKeys = try SealingKeys(Secret(copying: key))
/// ```
///
/// New values are sealed under the key with the highest number. Values that are already stored need
/// the key that they were sealed under, so that no key may be left out. The key with the lowest
/// number also makes the indexes of findable properties, so that a later key must have a higher
/// number.
public struct SealingKeys: Sendable {
  /// The minimum size of a key in bytes.
  public static let minimumKeyCount = 32

  /// The keys in ascending order of their numbers, which are unique.
  package let keys: [(number: UInt32, secret: SharedSecret)]

  init(sorted keys: [(number: UInt32, secret: SharedSecret)]) { self.keys = keys }

  /// Creates the keys of a vault with one sealing key.
  ///
  /// - Parameters:
  ///   - key: The key: at least 32 bytes, as good as random.
  ///   - number: The number of the key, from 1.
  /// - Throws: ``KeyError`` with code `invalidKey` if the key is too short or the number is 0.
  public init(_ key: consuming Secret, number: UInt32 = 1) throws(KeyError) {
    keys = [(number, try Self.checked(key, number))]
  }

  /// Returns the same keys and another one.
  ///
  /// - Parameters:
  ///   - key: The key: at least 32 bytes, as good as random.
  ///   - number: Its number. New values are sealed under the key with the highest number.
  /// - Returns: The keys.
  /// - Throws: ``KeyError`` with code `invalidKey` if the key is too short, or the number is 0 or
  ///   that of another key.
  public func adding(_ key: consuming Secret, number: UInt32) throws(KeyError) -> SealingKeys {
    if keys.contains(where: { $0.number == number }) {
      throw KeyError(
        .invalidKey, "There are two sealing keys with number \(number). Use another number.")
    }
    let added = [(number: number, secret: try Self.checked(key, number))]
    return SealingKeys(sorted: (keys + added).sorted { $0.number < $1.number })
  }

  /// Returns whether both have the same keys under the same numbers.
  package func isEqual(to other: SealingKeys) -> Bool {
    keys.count == other.keys.count
      && zip(keys, other.keys).allSatisfy {
        $0.number == $1.number && $0.secret.isEqual(to: $1.secret)
      }
  }

  private static func checked(
    _ key: consuming Secret, _ number: UInt32
  ) throws(KeyError) -> SharedSecret {
    try key.checkProcess()
    let count = key.count
    guard count >= minimumKeyCount else {
      throw KeyError(
        .invalidKey,
        "A sealing key has at least \(minimumKeyCount) random bytes, but this one has \(count). "
          + "Use a longer key.")
    }
    guard number > 0 else {
      throw KeyError(.invalidKey, "The number of a sealing key is 0. Count from 1.")
    }
    return SharedSecret(key)
  }
}
