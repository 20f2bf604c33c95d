#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a crash leaves behind: no report and no core dump, since both can hold keys and stored values.
enum CrashReports {
  /// The signals that Swift's runtime reports a crash for.
  private static let signals = [SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTRAP]

  /// The limit on core dumps that this process was started with, and with it other programs of the
  /// user; `nil` if the system does not say.
  nonisolated(unsafe) private(set) static var inheritedCoreLimit: rlimit?

  /// Switches reports and core dumps off. Called once, before any key is read.
  ///
  /// Reports stay on if `SWIFT_BACKTRACE` is set: then somebody asked for them.
  static func turnOff() {
    if getenv("SWIFT_BACKTRACE") == nil {
      for number in signals {
        let former = signal(number, SIG_DFL)
        // 1 is SIG_IGN: a signal that was ignored stays so, as for a program in the background.
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
      // A core that is piped to a program has no limit; a process that cannot be dumped has none. The
      // overlay leaves functions with variable arguments out. 4 is PR_SET_DUMPABLE.
      typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
      if let control = dlsym(nil, "prctl") {
        _ = unsafeBitCast(control, to: Control.self)(4, 0, 0, 0, 0)
      }
    #endif
  }
}
