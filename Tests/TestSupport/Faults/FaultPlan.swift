/// Selections of the faults for an operation.
package enum FaultPlan {
  /// Returns every action for every call.
  package static func exhaustive(_ calls: [CountedCall]) -> [Fault] {
    calls.indices.flatMap { index in Fault.Action.allCases.map { Fault($0, at: index + 1) } }
  }

  /// Returns faults with changing actions, one for every write.
  ///
  /// The other calls, which are few, are killed once and fail once.
  package static func everyCallOnce(_ calls: [CountedCall]) -> [Fault] {
    calls.enumerated().flatMap { index, call -> [Fault] in
      let number = index + 1
      guard call.kind == "write" else {
        return number.isMultiple(of: 2)
          ? [Fault(.killedBefore, at: number), Fault(.inputOutputError, at: number)]
          : [Fault(.killedWithin, at: number), Fault(.noRoom, at: number)]
      }
      return [Fault(Fault.Action.allCases[number % Fault.Action.allCases.count], at: number)]
    }
  }

  /// Returns faults that kill every call once.
  ///
  /// Every second call is killed before it happens and the others within. In addition, every fifth
  /// write and each of the other calls fail once.
  package static func everyCallKilled(_ calls: [CountedCall]) -> [Fault] {
    calls.enumerated().flatMap { index, call -> [Fault] in
      let number = index + 1
      let killed: Fault.Action = number.isMultiple(of: 2) ? .killedBefore : .killedWithin
      guard call.kind != "write" || number.isMultiple(of: 5) else {
        return [Fault(killed, at: number)]
      }
      let failed: [Fault.Action] = [.inputOutputError, .diskFull, .noRoom]
      return [Fault(killed, at: number), Fault(failed[number % 3], at: number)]
    }
  }

  /// Returns faults that kill every call once and make it fail once.
  ///
  /// Writes are many: every second one is killed before it happens and the others within, and the
  /// errors take turns. Each of the other calls gets both ways of killing and two errors.
  package static func everyCall(_ calls: [CountedCall]) -> [Fault] {
    var writes = 0
    return calls.enumerated().flatMap { index, call -> [Fault] in
      let number = index + 1
      guard call.kind == "write" else {
        return [.killedBefore, .killedWithin, .inputOutputError, .noRoom].map {
          Fault($0, at: number)
        }
      }
      writes += 1
      let killed: Fault.Action = writes.isMultiple(of: 2) ? .killedBefore : .killedWithin
      let failed: [Fault.Action] = [.inputOutputError, .diskFull, .noRoom]
      return [Fault(killed, at: number), Fault(failed[writes % 3], at: number)]
    }
  }
}
