import ObjectVaultConformance
import Testing

/// A change that makes a sound fixture a bad one, and what must be said of it.
struct BadFixture: Sendable, CustomTestStringConvertible {
  let subject: String
  let line: Int
  /// A part of the message.
  let message: String
  let text: String
  /// What follows from the same mistake.
  var also: (line: Int, message: String)?
  /// Whether the JSON Schema and the YAML reader before it refuse the file too.
  let isSeenBySchema: Bool

  var testDescription: String { subject }

  /// A bad file that is the sound one with its part `old` exchanged.
  static func changing(
    _ old: String, to new: String, _ subject: String, line: Int, says message: String,
    also: (line: Int, message: String)? = nil, schema isSeenBySchema: Bool = true
  ) -> BadFixture {
    BadFixture(
      subject: subject, line: line, message: message,
      text: sound.replacingFirst(old, by: new), also: also, isSeenBySchema: isSeenBySchema)
  }

  /// A bad file that is the sound one with another first step, in line 14.
  static func step(
    _ step: String, _ subject: String, line: Int = 14, says message: String,
    schema isSeenBySchema: Bool = true
  ) -> BadFixture {
    changing(firstStep, to: step, subject, line: line, says: message, schema: isSeenBySchema)
  }

  /// A bad file that is the sound one with another value in its line 17.
  static func value(
    _ value: String, _ subject: String, says message: String, schema isSeenBySchema: Bool = true
  ) -> BadFixture {
    changing(
      "second", to: value, subject, line: 17, says: message, schema: isSeenBySchema)
  }

  private static let firstStep = "- find: {class: Note, id: 1}"

  static let sound = """
    format: 1
    description: A sound file.
    classes:
      Note:
        properties: {text: String, stars: "Int?"}
    objects:
      Note:
        - {text: first}
    cases:
      - name: a note is found
        covers: [S1]
        engine: 4
        steps:
          - find: {class: Note, id: 1}
            returns: {objectID: 1, text: first, stars: {nil: true}}
          - insertMany:
              {class: Note, objects: [{text: second}, {stars: 3}]}
      - name: a note is kept
        vault: {key: {passphrase: a}}
        steps:
          - transaction:
              steps:
                - count: {class: Note}
                  returns: 1
          - close: {}
        after:
          counts: {Note: 1}

    """
}

extension String {
  /// The text with the first of some parts exchanged, which must be there.
  func replacingFirst(_ old: String, by new: String) -> String {
    guard let range = firstRange(of: old) else {
      Issue.record("the text has no '\(old)'")
      return self
    }
    return replacingCharacters(in: range, with: new)
  }

  private func firstRange(of part: String) -> Range<String.Index>? {
    ranges(of: part).first
  }

  private func replacingCharacters(in range: Range<String.Index>, with new: String) -> String {
    self[..<range.lowerBound] + new + self[range.upperBound...]
  }
}
