/// Which faults an operation is to meet.
package enum FaultPlan {
  /// Every call with every action.
  package static func exhaustive(_ calls: [CountedCall]) -> [Fault] {
    calls.indices.flatMap { index in Fault.Action.allCases.map { Fault($0, at: index + 1) } }
  }

  /// Every call once, each with another action than the one before; what is not a write, of which
  /// there are few, is killed once and failed once.
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

  /// Every call killed once, of the writes every second one before it and the others within; and every
  /// fifth write failed too, and the other calls.
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

  /// Every call killed once and failed once. Of the writes, of which there are many, every second
  /// is killed before and the others within, and so on; the other calls meet both.
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
