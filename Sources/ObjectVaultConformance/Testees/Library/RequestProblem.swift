/// An error in a request, independent of the vault.
///
/// The sender of the request is at fault.
struct RequestProblem: Error {
  var message: String

  init(_ message: String) { self.message = message }
}
