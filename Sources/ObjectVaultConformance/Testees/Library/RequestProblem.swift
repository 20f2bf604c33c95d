/// A request that makes no sense, whatever the vault: the fault of who asks.
struct RequestProblem: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
