import ObjectVaultCore

extension Answer {
  /// The code of what is no failure of the vault: a request that makes no sense, a defect.
  static let internalErrorCode = VaultError.Code.internalError.description

  /// The answer that an operation's value or error makes.
  ///
  /// - Throws: ``TesteeEnded`` alone.
  init(_ body: () throws -> FixtureValue?) throws {
    do {
      self = .returns(try body())
    } catch {
      self = .fails(try Failure(error))
    }
  }

  /// What it failed with; `nil` where it succeeded or is not supported.
  package var failure: Failure? {
    switch self {
    case .fails(let failure), .steps(_, failure: let failure?): failure
    default: nil
    }
  }
}

extension Answer.Failure {
  /// The failure that an error is.
  ///
  /// - Throws: ``TesteeEnded``, which is none.
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
