internal import CSQLCipher

extension Binder {
  /// Binds UTF-16 text unchanged, even if it is not well-formed.
  package func bind(utf16: UnsafeRawBufferPointer, isBigEndian: Bool, at position: Int) {
    let place = arena.copy(utf16)
    check(
      sqlite3_bind_text64(
        statement, Int32(truncatingIfNeeded: position &+ 1),
        place.assumingMemoryBound(to: CChar.self), sqlite3_uint64(utf16.count), ov_static(),
        UInt8(isBigEndian ? SQLITE_UTF16BE : SQLITE_UTF16LE)))
  }
}
