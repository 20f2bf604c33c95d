import ObjectVaultKeys
import Synchronization

/// A provider in memory that can fail as a real one does.
final class FakeProvider: KeyProvider {
  let name: String
  private let state = Mutex(State())

  private struct State {
    var secrets: [[UInt8]: SharedSecret] = [:]
    var labels: [String] = []
    var failure: KeyError.Code?
    var answer: [UInt8]?
    var secretCount = 32
    var unwrapping = Unwrapping.right
  }

  /// The result of `unwrap`.
  enum Unwrapping: Sendable {
    case right
    case otherBytes
    case failure(KeyError.Code)
  }

  init(_ name: String = "fake") { self.name = name }

  /// The labels of all calls.
  var labels: [String] { state.withLock { $0.labels } }

  /// Lets every call fail with this code.
  func fail(_ code: KeyError.Code?) { state.withLock { $0.failure = code } }

  /// Lets `wrap` return these bytes.
  func answer(_ bytes: [UInt8]) { state.withLock { $0.answer = bytes } }

  /// Lets `unwrap` return a secret of this length.
  func shorten(to count: Int) { state.withLock { $0.secretCount = count } }

  /// Lets only `unwrap` answer in this way.
  func unwrap(as result: Unwrapping) { state.withLock { $0.unwrapping = result } }

  func wrap(_ secret: borrowing Secret, label: String) throws(KeyError) -> [UInt8] {
    let copy = SharedSecret(secret.copy())
    return try state.withLock { state throws(KeyError) in
      state.labels.append(label)
      if let failure = state.failure { throw KeyError(failure, "The fake provider fails.") }
      let bytes = state.answer ?? [UInt8]("\(name) \(state.secrets.count)".utf8)
      state.secrets[bytes] = copy
      return bytes
    }
  }

  func unwrap(_ wrapped: [UInt8], label: String) throws(KeyError) -> Secret {
    let (found, count, result) = try state.withLock { state throws(KeyError) in
      state.labels.append(label)
      if let failure = state.failure { throw KeyError(failure, "The fake provider fails.") }
      return (state.secrets[wrapped], state.secretCount, state.unwrapping)
    }
    guard let found else { throw KeyError(.wrongKey, "The fake provider has no such key.") }
    switch result {
    case .right: return found.withSecret { $0.prefix(count) }
    case .otherBytes:
      return found.withSecret { secret in
        secret.withUnsafeBytes { Secret(copying: $0.map { $0 ^ 1 }) }
      }
    case .failure(let code): throw KeyError(code, "The fake provider does not decrypt.")
    }
  }

  func describe(_ wrapped: [UInt8]) throws(KeyError) -> String {
    "fake key of \(wrapped.count) bytes"
  }
}
