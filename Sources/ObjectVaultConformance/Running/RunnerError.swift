/// Why the runner cannot do what a fixture asks: the fixture or its files are at fault, or the
/// machine, not the testee.
struct RunnerError: Error, CustomStringConvertible {
  var message: String

  init(_ message: String) { self.message = message }

  var description: String { message }
}
