extension Catalog {
  /// Returns the name of an index, trigger or constraint as the engine can store it.
  ///
  /// The end of a name that is too long is replaced by its 64-bit FNV-1a hash (G. Fowler, L. C. Noll
  /// and K.-P. Vo) in hexadecimal digits.
  package func objectName(_ name: String) -> String {
    guard let longestName, name.utf8.count > longestName else { return name }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return named(name, "_" + String(repeating: "0", count: 16 - digits.count) + digits)
  }

  /// Returns the start of a name that an engine stores of one that is too long.
  package func storedStart(ofName name: String) -> String {
    var name = name
    while name.utf8.count > longestName ?? .max { name.unicodeScalars.removeLast() }
    return name
  }

  /// Returns a name with an ending, without the last characters before it if it would be too long.
  package func named(_ start: String, _ ending: String) -> String {
    var start = start[...]
    while start.utf8.count + ending.utf8.count > longestName ?? .max { start.removeLast() }
    return start + ending
  }
}
