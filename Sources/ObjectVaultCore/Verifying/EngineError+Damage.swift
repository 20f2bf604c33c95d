import ObjectVaultEngine

extension EngineError {
  /// Whether the file is the reason, and neither this machine nor somebody who ends the check. What
  /// engines answer for a page that does not authenticate differs.
  var isDamage: Bool { ![.interrupted, .aborted, .busy, .locked, .noMemory].contains(code) }
}
