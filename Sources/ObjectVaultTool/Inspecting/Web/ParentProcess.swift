import ObjectVaultPlatform

/// The process that started this one.
struct ParentProcess: Sendable {
  private let number = getppid()

  /// Whether the process has ended, so that another one adopted this process.
  var isGone: Bool { getppid() != number }
}
