/// Bytes in protected memory that grow.
struct SecretBuffer: ~Copyable {
  private var memory = Secret(count: 4096)
  private(set) var count = 0

  /// Appends bytes; memory that becomes too small is wiped.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    memory.withUnsafeMutableBytes { memory in
      UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    }
    count += bytes.count
  }

  mutating func append(_ secret: borrowing Secret) {
    secret.withUnsafeBytes { append($0) }
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Calls a closure that appends at most `maximum` bytes and returns their number.
  mutating func append(
    atMost maximum: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    reserve(maximum)
    let added = memory.withUnsafeMutableBytes { memory in
      body(UnsafeMutableRawBufferPointer(rebasing: memory[count..<(count + maximum)]))
    }
    count += max(0, added)
    return added
  }

  /// Removes and returns the bytes before the first newline; `nil` if there is no newline.
  mutating func removeLine() -> Secret? {
    let end = memory.withUnsafeBytes { $0.prefix(count).firstIndex(of: 0x0A) }
    guard let end else { return nil }
    let line = memory.prefix(end)
    memory.withUnsafeMutableBytes { memory in
      let rest = memory[(end + 1)..<count]
      memory.copyBytes(from: UnsafeRawBufferPointer(rebasing: rest))
    }
    count -= end + 1
    return line
  }

  /// Returns a copy of the bytes.
  borrowing func secret() -> Secret { memory.prefix(count) }

  private mutating func reserve(_ added: Int) {
    guard count + added > memory.count else { return }
    var larger = Secret(count: max(2 * memory.count, count + added))
    larger.withUnsafeMutableBytes { larger in
      memory.withUnsafeBytes { larger.copyBytes(from: $0.prefix(count)) }
    }
    memory = larger
  }
}
