/// An error in a fixture or in a line of the protocol, with its correction.
package struct FixtureError: Error, Sendable, Equatable, CustomStringConvertible {
  package var place: SourcePlace
  package var message: String

  package init(_ message: String, at place: SourcePlace) {
    self.message = message
    self.place = place
  }

  package var description: String { "\(place): \(message)" }
}
