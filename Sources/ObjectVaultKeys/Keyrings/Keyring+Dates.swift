internal import ObjectVaultPlatform

/// The creation times of slots.
///
/// They have a code of their own, which programs that know only the first version of the document
/// ignore.
extension Keyring {
  /// Returns the code of the dates under a master key; `nil` if no slot has a date.
  ///
  /// It covers the code of the keyring, and with it the slots and the generation.
  func datesCode(under master: borrowing Secret) throws(KeyError) -> [UInt8]? {
    guard slots.contains(where: { $0.created != nil }) else { return nil }
    var bytes = LengthPrefixed("OVDT")
    bytes.append(code)
    bytes.append(UInt32(slots.count))
    for slot in slots { bytes.append(slot.created ?? 0) }
    return try MessageCode.code(
      of: bytes.bytes, under: try KeyDerivation.hkdf(master, purpose: "objectvault dates v1"))
  }

  /// Returns whether the code and the code of the dates are those of a master key.
  ///
  /// Without a code, the dates are unknown.
  func isAuthentic(under master: borrowing Secret) throws(KeyError) -> Bool {
    guard MessageCode.areEqual(try code(under: master), code) else { return false }
    guard let datesCode else { return true }
    return MessageCode.areEqual(try self.datesCode(under: master) ?? [], datesCode)
  }
}

/// The time when a slot got its key.
enum SlotDate {
  /// The times that a keyring can record, in seconds since 1970: all exact numbers of JSON.
  static let range: ClosedRange<UInt64> = 1...(1 << 53 - 1)

  /// The present time; `nil` if the clock of the computer is before 1970.
  static var now: UInt64? {
    // `time` gives the former second until the next tick of the kernel's timer.
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return nil }
    return UInt64(exactly: time.tv_sec).flatMap { range.contains($0) ? $0 : nil }
  }
}
