import ObjectVaultConformanceFormat
import ObjectVaultCore

extension Answer {
  /// The code of errors that are not failures of the vault: invalid requests and internal defects.
  static let internalErrorCode = VaultError.Code.internalError.description

  /// Creates the answer from the value or the error of an operation.
  ///
  /// - Throws: ``TesteeEnded`` if `body` throws it.
  init(_ body: () throws -> FixtureValue?) throws {
    do {
      self = .returns(try body())
    } catch {
      self = .fails(try Failure(error))
    }
  }

  /// The failure of the answer; `nil` if the operation succeeded or is not supported.
  package var failure: Failure? {
    switch self {
    case .fails(let failure), .steps(_, failure: let failure?): failure
    default: nil
    }
  }
}

extension Answer.Failure {
  /// Creates the failure that an error represents.
  ///
  /// - Throws: ``TesteeEnded`` if `error` is one, because it is not a failure of an operation.
  init(_ error: any Error) throws {
    switch error {
    case let error as TesteeEnded: throw error
    case let error as VaultError:
      self.init(
        code: error.code.description, offset: error.location?.offset, message: error.message)
    case let error as RequestProblem:
      self.init(code: Answer.internalErrorCode, message: error.message)
    default:
      self.init(code: Answer.internalErrorCode, message: "\(error)")
    }
  }
}
