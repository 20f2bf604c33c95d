public import CSQLCipher

/// The parameters of a statement that is about to run, bound by position.
///
/// Positions count from 0 and correspond to the properties of the class. A position that the
/// statement does not use is ignored, so that one `encode(into:)` serves an insert, a complete
/// update and an update of some properties.
///
/// ```swift
/// func bind(to binder: Binder, at position: Int) throws {
///   binder.bind(real: degrees, at: position)
/// }
/// ```
public struct Binder {
  @usableFromInline let statement: OpaquePointer?
  @usableFromInline let arena: BindingArena
  /// The number of the parameter at position 0.
  @usableFromInline let first: Int32
  /// A bit for each of the first 64 positions, set if the statement uses it.
  ///
  /// All later positions may be used.
  @usableFromInline let wanted: UInt64

  @inlinable
  package init(
    statement: OpaquePointer?, arena: BindingArena, first: Int32 = 1, wanted: UInt64 = .max
  ) {
    self.statement = statement
    self.arena = arena
    self.first = first
    self.wanted = wanted
  }

  /// Returns the same parameters, limited to the positions that the statement uses.
  @inlinable
  package func only(_ wanted: UInt64) -> Binder {
    Binder(statement: statement, arena: arena, first: first, wanted: wanted)
  }

  /// Returns whether the value at a position need not be bound.
  @inlinable @inline(__always)
  package func isUnwanted(_ position: Int) -> Bool {
    position < 64 && wanted &>> UInt64(truncatingIfNeeded: position) & 1 == 0
  }

  /// Returns the parameters of another row of a statement that inserts several rows, starting at a
  /// parameter number.
  @inlinable
  package func row(from first: Int32) -> Binder {
    Binder(statement: statement, arena: arena, first: first)
  }

  /// Returns the number of the parameter at a position.
  @inlinable @inline(__always)
  func number(_ position: Int) -> Int32 { Int32(truncatingIfNeeded: position) &+ first }

  @inlinable @inline(__always)
  func check(_ code: Int32) {
    if code != SQLITE_OK, code != SQLITE_RANGE, arena.failure == SQLITE_OK { arena.failure = code }
  }

  /// Binds NULL.
  @inlinable @inline(__always)
  public func bindNull(at position: Int) {
    if isUnwanted(position) { return }
    if statement == nil { return noteNull(at: position) }
    check(sqlite3_bind_null(statement, number(position)))
  }

  /// Binds an integer.
  @inlinable @inline(__always)
  public func bind(integer value: Int64, at position: Int) {
    if isUnwanted(position) { return }
    if statement == nil { return note(integer: value, at: position) }
    check(sqlite3_bind_int64(statement, number(position), value))
  }

  /// Binds a double.
  ///
  /// Callers must reject NaN: SQLite has no such value and would store NULL.
  @inlinable @inline(__always)
  public func bind(real value: Double, at position: Int) {
    if isUnwanted(position) { return }
    if statement == nil { return note(real: value, at: position) }
    check(sqlite3_bind_double(statement, number(position), value))
  }

  /// Binds text unchanged.
  @inlinable @inline(__always)
  public func bind(text value: String, at position: Int) {
    var value = value
    value.withUTF8 { utf8 in bind(utf8: UnsafeRawBufferPointer(utf8), at: position) }
  }

  /// Binds text given as UTF-8.
  @inlinable @inline(__always)
  public func bind(utf8: UnsafeRawBufferPointer, at position: Int) {
    if isUnwanted(position) { return }
    if statement == nil { return note(utf8: utf8, at: position) }
    let place = arena.copy(utf8)
    check(
      sqlite3_bind_text64(
        statement, number(position),
        place.assumingMemoryBound(to: CChar.self), sqlite3_uint64(utf8.count), ov_static(),
        UInt8(SQLITE_UTF8)))
  }

  /// Binds bytes.
  @inlinable @inline(__always)
  public func bind(bytes: UnsafeRawBufferPointer, at position: Int) {
    if isUnwanted(position) { return }
    if statement == nil { return note(bytes: bytes, at: position) }
    let place = arena.copy(bytes)
    check(
      sqlite3_bind_blob64(
        statement, number(position), place, sqlite3_uint64(bytes.count),
        ov_static()))
  }
}
