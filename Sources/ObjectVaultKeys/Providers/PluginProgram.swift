internal import ObjectVaultPlatform

/// The program of a key provider: its name and its file.
package struct PluginProgram: Sendable {
  /// The name of the provider, such as `tpm2`.
  package let name: String
  /// The absolute path of the program; `nil` to search `PATH`.
  package let path: String?

  package init(name: String, path: String?) {
    self.name = name
    self.path = path
  }

  /// Returns the path of an executable file.
  ///
  /// Only absolute folders of `PATH` are searched, so that the working directory has no influence.
  ///
  /// - Parameter folders: The folders of `PATH`, with colons between them; `nil` for the variable.
  /// - Returns: The absolute path.
  /// - Throws: `invalidKey` if the name is invalid or the path is not absolute; `providerMissing`.
  package func locate(in folders: String? = nil) throws(KeyError) -> String {
    try checkName()
    if let path {
      guard path.hasPrefix("/"), !path.utf8.contains(0) else {
        throw KeyError(
          .invalidKey,
          "The path of the program of the key provider '\(name)' is not absolute. "
            + "Use the path from the root folder.")
      }
      guard isExecutable(path) else { throw missing("'\(path)' is not an executable file") }
      try checkRights(path)
      return path
    }
    let program = "objectvault-key-\(name)"
    let folders = folders ?? getenv("PATH").map { String(cString: $0) } ?? ""
    for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/\(program)"
      guard isExecutable(path) else { continue }
      try checkRights(path)
      return path
    }
    throw missing("the program '\(program)' is not in a folder of PATH")
  }

  private func checkName() throws(KeyError) {
    let isValid = name.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
    }
    guard isValid, (1...32).contains(name.utf8.count) else {
      throw KeyError(
        .invalidKey,
        "The name of a key provider has 1 to 32 lower-case letters, digits and hyphens, unlike "
          + "'\(PluginText.sanitised(name.utf8, maximum: 40))'. Correct the name.")
    }
  }

  private func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// Throws an error if every user can replace the content of the program.
  private func checkRights(_ path: String) throws(KeyError) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o002 == 0 else {
      throw KeyError(
        .providerFailed,
        "Every user can change the program '\(path)' of the key provider '\(name)', so it is not "
          + "started. Run: chmod o-w '\(path)'")
    }
  }

  private func missing(_ reason: String) -> KeyError {
    KeyError(
      .providerMissing,
      "The key provider '\(name)' is not installed: \(reason). Install the program, or open the "
        + "vault with another slot.")
  }
}
