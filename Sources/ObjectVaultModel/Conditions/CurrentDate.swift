public import Foundation
import ObjectVaultCondition

/// The time at which a query runs, in a typed condition.
///
/// ```swift
/// let recent = events.where { $0.at >= CurrentDate() - .seconds(7 * 86_400) }
/// ```
///
/// Every execution of the query evaluates it once, to the millisecond. `Date.now` would be the time
/// at which the condition was created.
public struct CurrentDate: ValueExpression, Sendable {
  /// The type of the value.
  public typealias Value = Date

  private let seconds: Double

  /// Creates the time at which a query runs.
  public init() { seconds = 0 }

  private init(seconds: Double) { self.seconds = seconds }

  /// The time in a comparison.
  public var operand: ConditionOperand {
    let now = Operand(.now)
    if seconds == 0 { return ConditionOperand(now) }
    let interval = Operand(.literal(.interval(seconds.description, .seconds)))
    return ConditionOperand(Operand(.arithmetic(.add, now, interval)), depth: 1)
  }

  /// Returns the time after a duration.
  public static func + (date: CurrentDate, duration: Duration) -> CurrentDate {
    CurrentDate(seconds: date.seconds + duration.inSeconds)
  }

  /// Returns the time before a duration.
  public static func - (date: CurrentDate, duration: Duration) -> CurrentDate {
    CurrentDate(seconds: date.seconds - duration.inSeconds)
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
