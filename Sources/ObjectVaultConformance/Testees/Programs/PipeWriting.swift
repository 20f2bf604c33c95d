import ObjectVaultPlatform

/// The result of writing to a pipe.
enum PipeWrite {
  case written(Int)
  /// The pipe is full.
  case full
  /// The reading end is closed.
  case closed
  case failed(Int32)
}

/// Writes to a pipe.
///
/// A closed reading end is reported as a result, not by a signal that ends the process.
func writeWithoutSignal(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> PipeWrite {
  var brokenPipe = sigset_t()
  sigemptyset(&brokenPipe)
  sigaddset(&brokenPipe, SIGPIPE)
  var pending = sigset_t()
  sigpending(&pending)
  let wasPending = sigismember(&pending, SIGPIPE) == 1
  var before = sigset_t()
  pthread_sigmask(SIG_BLOCK, &brokenPipe, &before)
  defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
  while true {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return .written(count) }
    switch errno {
    case EINTR: continue
    case EAGAIN: return .full
    case EPIPE:
      // The signal is pending for this thread only. Remove it before signals are unblocked.
      if !wasPending { take(brokenPipe) }
      return .closed
    default: return .failed(errno)
    }
  }
}

/// Removes a signal that is pending for this thread.
private func take(_ signals: sigset_t) {
  var signals = signals
  var pending = sigset_t()
  sigpending(&pending)
  guard sigismember(&pending, SIGPIPE) == 1 else { return }
  var taken: Int32 = 0
  sigwait(&signals, &taken)
}

/// Returns the system's description of an error number.
func systemErrorText(_ number: Int32) -> String {
  strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
