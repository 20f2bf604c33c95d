import ObjectVaultDriver

extension DriverError {
  /// Whether the file is the cause, not the computer or a cancellation.
  ///
  /// Engines report different codes for a page that does not authenticate.
  var isDamage: Bool { ![.interrupted, .aborted, .busy, .locked, .noMemory].contains(code) }
}
