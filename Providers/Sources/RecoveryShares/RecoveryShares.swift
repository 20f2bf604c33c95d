internal import CGFShare
public import KeyProviderProgram

/// The division of a recovery code into shares, by Shamir's scheme of libgfshare.
public enum RecoveryShares {
  /// The maximum number of shares.
  public static let maximum = 16
  private static let groupsOfCode = 8

  /// Divides a recovery code into shares.
  ///
  /// - Parameters:
  ///   - code: The recovery code as it was typed.
  ///   - total: The number of shares, at most 16.
  ///   - needed: The number of shares that restore the code, from 2 to `total`.
  ///   - body: A closure that receives each share, in the order of their numbers.
  /// - Throws: An error if the code is mistyped or the numbers are invalid.
  public static func split(
    _ code: borrowing ProtectedBytes, total: Int, needed: Int,
    _ body: (borrowing RecoveryShare) -> Void
  ) throws(SharesError) {
    guard (2...maximum).contains(total), (2...total).contains(needed) else {
      throw SharesError(
        "\(needed) of \(total) shares are not possible. Create 2 to \(maximum) shares, of which at "
          + "least 2 and at most all are needed.")
    }
    let secret = try PrintedCode.bytes(of: code, groups: groupsOfCode, name: "recovery code")
    let set: [UInt8]
    do { set = try randomBytes(5) } catch { throw SharesError(error.text) }
    let divided = try divided(secret, total: total, needed: needed)
    for index in 0..<total {
      let data = divided.withUnsafeBytes { bytes in
        ProtectedBytes(copying: bytes[(index * secret.count)..<((index + 1) * secret.count)])
      }
      body(
        RecoveryShare(number: index + 1, needed: needed, total: total, set: set, data: data))
    }
  }

  /// Returns the recovery code of shares that were combined.
  ///
  /// - Parameter shares: The shares, at least as many as needed.
  /// - Returns: The code, with a hyphen between groups.
  /// - Throws: An error if the shares are too few, of several sets, or not all different.
  public static func combine(_ shares: borrowing ShareSet) throws(SharesError) -> ProtectedBytes {
    guard shares.missing == 0 else {
      throw SharesError(
        "\(shares.missing) more \(shares.missing == 1 ? "share is" : "shares are") needed: "
          + "\(shares.numbers.count) are given. Add other shares of the same set.")
    }
    let secret = try combined(shares.numbers, shares.data, size: RecoveryShare.dataCount)
    let characters = PrintedCode.characters(of: secret, groups: groupsOfCode)
    return hyphenated(characters, groupsOfLine: groupsOfCode, indentation: 0)
  }

  // MARK: The sharing

  /// Returns the data of all shares, one after the other; their numbers begin at 1.
  static func divided(
    _ secret: borrowing ProtectedBytes, total: Int, needed: Int
  ) throws(SharesError) -> ProtectedBytes {
    objectvault_use_random()
    var numbers = (1...total).map { UInt8($0) }
    let size = secret.count
    guard
      let context = gfshare_ctx_init_enc(
        &numbers, UInt32(total), UInt8(needed), UInt32(size))
    else { throw outOfMemory }
    defer { gfshare_ctx_free(context) }
    secret.withUnsafeBytes { secret in
      // The library only reads the secret.
      let start = secret.baseAddress?.assumingMemoryBound(to: UInt8.self)
      gfshare_ctx_enc_setsecret(context, UnsafeMutablePointer(mutating: start))
    }
    var shares = ProtectedBytes(count: total * size)
    shares.withUnsafeMutableBytes { shares in
      let start = shares.baseAddress?.assumingMemoryBound(to: UInt8.self)
      for index in 0..<total {
        gfshare_ctx_enc_getshare(context, UInt8(index), start.map { $0 + index * size })
      }
    }
    return shares
  }

  /// Returns the secret of shares by their numbers.
  static func combined(
    _ numbers: [Int], _ data: borrowing ProtectedBytes, size: Int
  ) throws(SharesError) -> ProtectedBytes {
    objectvault_use_random()
    var numbers = numbers.map { UInt8($0) }
    guard let context = gfshare_ctx_init_dec(&numbers, UInt32(numbers.count), UInt32(size)) else {
      throw outOfMemory
    }
    defer { gfshare_ctx_free(context) }
    data.withUnsafeBytes { data in
      let start = data.baseAddress?.assumingMemoryBound(to: UInt8.self)
      for index in numbers.indices {
        // The library only reads the share.
        gfshare_ctx_dec_giveshare(
          context, UInt8(index), UnsafeMutablePointer(mutating: start.map { $0 + index * size }))
      }
    }
    var secret = ProtectedBytes(count: size)
    secret.withUnsafeMutableBytes { secret in
      gfshare_ctx_dec_extract(context, secret.baseAddress?.assumingMemoryBound(to: UInt8.self))
    }
    return secret
  }

  private static var outOfMemory: SharesError {
    SharesError("There is not enough memory. End other programs and try again.")
  }
}
