import ObjectVaultCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output for what must stand in no buffer of the tool.
enum SecretOutput {
  /// Writes a secret and a newline.
  ///
  /// - Throws: ``ToolError`` or ``OutputClosed`` where not all of it was taken.
  static func writeLine(_ secret: borrowing Secret) throws {
    try StandardOutput.shared.flush()
    try secret.withUnsafeBytes { try write($0) }
    try StandardOutput.shared.write("\n")
    try StandardOutput.shared.flush()
  }

  private static func write(_ bytes: UnsafeRawBufferPointer) throws {
    var start = 0
    while start < bytes.count {
      let written = systemWrite(1, UnsafeRawBufferPointer(rebasing: bytes[start...]))
      if written >= 0 {
        start += written
      } else if errno != EINTR {
        guard errno != EPIPE else { throw OutputClosed() }
        throw ToolError(
          .inputOutput, "Writing to standard output failed: \(systemErrorText(errno)).")
      }
    }
  }
}
