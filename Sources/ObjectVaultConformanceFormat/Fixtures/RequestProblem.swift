/// An error in a request, independent of the vault.
///
/// The sender of the request is at fault.
package struct RequestProblem: Error {
  package var message: String

  package init(_ message: String) { self.message = message }
}
