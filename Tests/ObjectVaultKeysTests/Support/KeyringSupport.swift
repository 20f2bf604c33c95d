import ObjectVaultKeys

/// Returns the code of the key error that `body` throws; `nil` if it throws none or another error.
func keyCode(of body: () throws -> Void) -> KeyError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? KeyError)?.code
  }
}

extension Keyring {
  /// Restores the dates if they are unknown, as they are without their code.
  mutating func restoreDates(of keyring: Keyring) {
    guard datesCode == nil, slots.count == keyring.slots.count else { return }
    datesCode = keyring.datesCode
    for index in slots.indices { slots[index].created = keyring.slots[index].created }
  }
}

/// A raw key of equal bytes, whose slot costs next to nothing to open.
func raw(_ byte: UInt8) throws -> SlotSecret {
  try .raw(Secret(copying: [UInt8](repeating: byte, count: 32)))
}
