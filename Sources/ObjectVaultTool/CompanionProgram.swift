import ObjectVaultCore
import ObjectVaultPlatform
import ObjectVaultTerminal

/// A program that is this tool with something added that most users do not need.
///
/// It accepts the same command line and asks for the key on the same terminal.
struct CompanionProgram {
  let name: String
  /// The purpose of the program, after "which".
  let purpose: String
  /// The way to build it, after "Build it with".
  let building: String

  /// The program with the server of `inspect --web`.
  static let inspector = CompanionProgram(
    name: "objectvault-inspect", purpose: "serves the page", building: "Scripts/inspector")

  /// The program with shared vaults, for `send` and `receive`.
  static let server = CompanionProgram(
    name: "objectvault-server", purpose: "contains the client of PostgreSQL",
    building: "'swift build -c release --product objectvault-server'")

  /// Replaces the running program, with its arguments, environment, descriptors and terminal.
  ///
  /// - Throws: ``ToolError`` if the program is missing or cannot be started.
  func replaceThisOne() throws -> Never {
    let path = try locate(besides: Self.ownPath)
    var arguments = CommandLine.arguments.map { strdup($0) }
    arguments[0] = strdup(path)
    arguments.append(nil)
    execv(path, arguments)
    throw ToolError(
      .unavailable,
      "'\(PrintableText.escaped(path))' cannot be started: \(systemErrorText(errno)).")
  }

  /// Returns the path of the program.
  ///
  /// It is searched in the folder of this one, then in the absolute folders of `PATH`, so that the
  /// working directory has no influence. A program that every user can change is rejected.
  ///
  /// - Parameters:
  ///   - own: The path of this program, or `nil` if it is unknown.
  ///   - folders: The folders of `PATH`, with colons between them; `nil` for the variable.
  /// - Returns: The path.
  /// - Throws: ``ToolError`` if the program is missing or can be changed by every user.
  func locate(besides own: String?, in folders: String? = nil) throws -> String {
    let folders = folders ?? getenv("PATH").map { String(cString: $0) } ?? ""
    let next = own.flatMap { own in own.lastIndex(of: "/").map { String(own[..<$0]) } }
    let paths =
      ([next].compactMap(\.self) + folders.split(separator: ":").map(String.init))
      .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    for path in paths {
      guard let file = ExistingFile(path), file.isRegular, access(path, X_OK) == 0,
        // A link to this program would start it again and again.
        own.flatMap({ ExistingFile($0) }) != file
      else { continue }
      guard file.mode & 0o002 == 0 else {
        throw ToolError(
          .unavailable,
          "Every user can change '\(PrintableText.escaped(path))', so it is not started. Run: chmod "
            + "o-w '\(PrintableText.escaped(path))'")
      }
      return path
    }
    throw ToolError(
      .unavailable,
      "The program '\(name)', which \(purpose), is missing. Build it with \(building) in a checkout of "
        + "ObjectVault, and put it next to 'objectvault' or into a folder of PATH.")
  }

  /// The path of this program, or `nil` if the system does not report it.
  private static var ownPath: String? {
    #if os(Linux) || os(Android)
      let path = "/proc/self/exe"
    #else
      let path = CommandLine.arguments[0]
    #endif
    // A name without a slash was found on PATH, which is searched anyway.
    guard path.contains("/"), let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
