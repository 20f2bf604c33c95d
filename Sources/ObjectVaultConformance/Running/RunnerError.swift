/// An error of the runner.
///
/// The cause is the fixture, its files or the system, not the testee.
struct RunnerError: Error, CustomStringConvertible {
  var message: String

  init(_ message: String) { self.message = message }

  var description: String { message }
}
