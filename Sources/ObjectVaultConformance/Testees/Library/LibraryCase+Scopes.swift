import ObjectVaultConformanceFormat
import ObjectVaultCore

import ObjectVaultPlatform

extension LibraryCase {
  func transaction(_ request: Request) throws -> Answer {
    let isUndone: Bool
    switch try? RequestArguments(request.arguments).text("end") {
    case nil, "commit": isUndone = false
    case "rollback": isUndone = true
    default:
      return try Answer { throw RequestProblem("'end' must be 'commit' or 'rollback'.") }
    }
    return try scope(request) { vault, body in
      try vault.transaction {
        try body()
        if isUndone { throw ScopeEnd.rollback }
      }
    }
  }

  func read(_ request: Request) throws -> Answer {
    try scope(request) { vault, body in try vault.read(body) }
  }

  /// Performs the steps of a request in a transaction or read of its vault.
  private func scope(
    _ request: Request, _ run: (any Database, () throws -> Void) throws -> Void
  ) throws -> Answer {
    var answers: [Answer] = []
    do {
      try run(try handle(RequestArguments(request.arguments)).database) {
        for step in request.steps {
          let answer = try self.answer(step)
          answers.append(answer)
          if case .unsupported(let reason) = answer { throw ScopeEnd.unsupported(reason) }
          if let failure = answer.failure, !step.mayFail { throw ScopeEnd.failed(failure) }
        }
      }
      return .steps(answers, failure: nil)
    } catch let end as ScopeEnd {
      switch end {
      case .rollback: return .steps(answers, failure: nil)
      case .failed(let failure): return .steps(answers, failure: failure)
      case .unsupported(let reason): return .unsupported(reason)
      }
    } catch {
      return .steps(answers, failure: try Answer.Failure(error))
    }
  }

  /// Kills the process with a signal that cannot be caught.
  func crash() -> Answer {
    guard settings.mayCrash else {
      return .unsupported("crash: it would end the process that runs the fixtures")
    }
    kill(getpid(), SIGKILL)
    while true { pause() }
  }
}

/// The error that leaves a scope before its end.
private enum ScopeEnd: Error {
  case rollback
  case failed(Answer.Failure)
  case unsupported(String)
}
