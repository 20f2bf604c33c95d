/// An error of a provider, as the protocol names it.
public struct ProviderError: Error, Equatable {
  /// A kind of error; the raw value is the word of the protocol.
  public enum Kind: String, Sendable {
    /// The device, the service or the object in it does not exist.
    case missing
    /// The device exists and does not release the secret now.
    case locked
    /// Nothing that a person does at the device helps.
    case failed
    /// A person cancelled.
    case cancelled
  }

  /// The kind of the error.
  public let kind: Kind
  /// One or two sentences: the failure and the remedy. They contain no secret.
  public let text: String

  /// Returns an error of the kind `missing`.
  ///
  /// - Parameter text: The failure and the remedy.
  /// - Returns: The error.
  public static func missing(_ text: String) -> ProviderError {
    ProviderError(kind: .missing, text: text)
  }

  /// Returns an error of the kind `locked`.
  ///
  /// - Parameter text: The failure and the remedy.
  /// - Returns: The error.
  public static func locked(_ text: String) -> ProviderError {
    ProviderError(kind: .locked, text: text)
  }

  /// Returns an error of the kind `failed`.
  ///
  /// - Parameter text: The failure and the remedy.
  /// - Returns: The error.
  public static func failed(_ text: String) -> ProviderError {
    ProviderError(kind: .failed, text: text)
  }

  /// The error of a request that a person cancelled.
  public static var cancelled: ProviderError {
    ProviderError(kind: .cancelled, text: "Try again, and answer the prompt.")
  }

  /// The error of a wrapped key that is damaged or of another program.
  public static var damaged: ProviderError {
    .failed("The wrapped key is damaged, or another program wrapped it. Use a copy of the keyring.")
  }
}
