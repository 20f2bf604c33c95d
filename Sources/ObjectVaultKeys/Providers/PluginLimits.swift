/// The limits of version 1 of the protocol of key provider programs.
///
/// `Providers/PROTOCOL.md` defines them.
enum PluginLimits {
  /// The bytes of a line, with its newline.
  static let line = 65_536
  /// The bytes of all lines of a program.
  static let output = 262_144
  static let secret = 1_024
  static let wrapped = 16_384
  /// The bytes of a label, a prompt, a description, and the text of an error.
  static let text = 1_000
  static let settings = 4_000
  static let prompts = 8
  /// The characters of standard error that a message can contain.
  static let diagnostics = 300
  /// The time between the response of a program and its end.
  static let ending = Duration.seconds(2)
}
