internal import ObjectVaultPlatform

/// Starts a program in a process group of its own.
///
/// The program has default signal handling, the environment of this process, and only the three
/// given descriptors.
///
/// - Parameters:
///   - path: The absolute path of the program.
///   - streams: Its standard input, output and error, above 2 and closed on exec.
///   - process: The number of the program.
/// - Returns: 0, or the error number of the system.
func spawn(_ path: String, _ streams: [Int32], as process: inout pid_t) -> Int32 {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    let closing = Int16(POSIX_SPAWN_CLOEXEC_DEFAULT)
  #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    let closing: Int16 = 0
  #endif
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  for (number, stream) in streams.enumerated() {
    posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
  }
  #if !canImport(Darwin)
    for descriptor in openDescriptors() where descriptor > 2 && !streams.contains(descriptor) {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
  #endif
  var signals = sigset_t()
  sigfillset(&signals)
  posix_spawnattr_setsigdefault(&attributes, &signals)
  sigemptyset(&signals)
  posix_spawnattr_setsigmask(&attributes, &signals)
  posix_spawnattr_setpgroup(&attributes, 0)
  posix_spawnattr_setflags(
    &attributes,
    closing | Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF)
      | Int16(POSIX_SPAWN_SETSIGMASK))
  var arguments = [strdup(path), nil]
  defer { free(arguments[0]) }
  return posix_spawn(&process, path, &actions, &attributes, &arguments, environ)
}

#if !canImport(Darwin)
  /// Returns the open descriptors of this process.
  ///
  /// A descriptor that another thread opens now is not among them. The library opens all of its own
  /// with O_CLOEXEC.
  private func openDescriptors() -> [Int32] {
    guard let folder = opendir("/proc/self/fd") else { return [] }
    defer { closedir(folder) }
    let own = dirfd(folder)
    var descriptors: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let descriptor = Int32(name), descriptor != own { descriptors.append(descriptor) }
    }
    return descriptors
  }
#endif
