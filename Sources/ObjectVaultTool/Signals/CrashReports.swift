import ObjectVaultPlatform

/// The suppression of crash reports and core dumps, because both can contain keys and stored
/// values.
enum CrashReports {
  /// The signals for which Swift's runtime reports a crash.
  private static let signals = [SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTRAP]

  /// The limit on core dumps that this process was started with; `nil` if the system does not
  /// report it.
  ///
  /// Other programs of the user have the same limit.
  nonisolated(unsafe) private(set) static var inheritedCoreLimit: rlimit?

  /// Turns off reports and core dumps.
  ///
  /// Call it once, before any key is read. Reports stay on if `SWIFT_BACKTRACE` is set, because
  /// then they were requested.
  static func turnOff() {
    if getenv("SWIFT_BACKTRACE") == nil {
      for number in signals {
        let former = signal(number, SIG_DFL)
        // 1 is SIG_IGN: a signal that was ignored stays ignored, as for a program in the
        // background.
        if unsafeBitCast(former, to: Int.self) == 1 { signal(number, SIG_IGN) }
      }
    }
    turnOffCoreDumps()
  }

  private static func turnOffCoreDumps() {
    var limit = rlimit()
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
    #else
      let resource = RLIMIT_CORE
    #endif
    if getrlimit(resource, &limit) == 0 { inheritedCoreLimit = limit }
    setrlimit(resource, &none)
    #if os(Linux) || os(Android)
      // A core dump that is piped to a program has no limit, but a process that is not dumpable has
      // none. The overlay omits functions with variable arguments. 4 is PR_SET_DUMPABLE.
      typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
      if let control = dlsym(nil, "prctl") {
        _ = unsafeBitCast(control, to: Control.self)(4, 0, 0, 0, 0)
      }
    #endif
  }
}
