/// A position in the change history of a vault, between two changes.
///
/// Store the position up to which you processed the changes, and continue there later, also in
/// another process. It is `Codable` as text, and ``description`` is the same text.
///
/// A position contains the number and the time of the change before it, so that a file that was
/// restored from an older copy is noticed.
public struct HistoryPosition: Sendable, Hashable, LosslessStringConvertible, Codable {
  /// The number of the change before the position, or 0 at the beginning.
  let sequence: Int64
  /// The time of that change in milliseconds since 1970, or 0 if unknown.
  let milliseconds: Int64

  init(_ sequence: Int64, seconds: Double) {
    self.sequence = sequence
    milliseconds = Int64(exactly: (seconds * 1000).rounded()) ?? 0
  }

  /// Creates a position from its text, or returns `nil` for other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let sequence = Int64(parts[0]), let milliseconds = Int64(parts[1]),
      sequence >= 0, milliseconds >= 0
    else { return nil }
    self.sequence = sequence
    self.milliseconds = milliseconds
  }

  /// The text of the position, such as `42-1795651200000`.
  public var description: String { "\(sequence)-\(milliseconds)" }

  /// Decodes a position from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let position = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "The text is not a position in a history.")
    }
    self = position
  }

  /// Encodes the position as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
