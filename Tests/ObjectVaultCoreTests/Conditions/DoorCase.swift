import Foundation
import ObjectVaultCondition
import Testing

import ObjectVaultCore

/// One condition on students as every door says it that can.
struct DoorCase: Sendable, CustomTestStringConvertible {
  let text: ObjectCondition
  let others: [(door: String, condition: ObjectCondition)]
  let names: [String]
  let format: String
  /// Whether the other doors give the very tree of the text, and not one that means the same.
  let isSameTree: Bool

  init(
    _ format: String, _ arguments: Any?..., names: [String], isSameTree: Bool = true,
    typed: ObjectCondition? = nil, chained: ObjectCondition? = nil,
    predicate: Predicate<School.Student>? = nil
  ) {
    self.format = format
    self.names = names
    self.isSameTree = isSameTree
    do {
      text = try ObjectCondition(format, arguments: arguments)
    } catch {
      Issue.record("\(format): \(error)")
      text = .never
    }
    var others: [(door: String, condition: ObjectCondition)] = []
    if let typed { others.append(("typed", typed)) }
    if let chained { others.append(("chained", chained)) }
    if let predicate {
      do {
        others.append(("#Predicate", try ObjectCondition(predicate)))
      } catch {
        Issue.record("#Predicate, \(format): \(error)")
      }
    }
    self.others = others
  }

  var testDescription: String { format }
}

/// A list of cases, each of which the compiler checks by itself.
@resultBuilder enum DoorCaseList {
  static func buildBlock(_ cases: DoorCase...) -> [DoorCase] { cases }
}
