import ObjectVaultCore
import ObjectVaultTerminal

import ObjectVaultPlatform

/// Standard output for secrets, which must not be in any buffer of the tool.
enum SecretOutput {
  /// Writes a secret and a newline.
  ///
  /// - Parameter secret: The secret.
  /// - Throws: ``ToolError`` or ``OutputClosed`` if not all of it was written.
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
