/// What is wrong with a fixture, or with a line of the protocol, and what would be right.
package struct FixtureError: Error, Sendable, Equatable, CustomStringConvertible {
  package var place: SourcePlace
  package var message: String

  package init(_ message: String, at place: SourcePlace) {
    self.message = message
    self.place = place
  }

  package var description: String { "\(place): \(message)" }
}
