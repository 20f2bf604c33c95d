package import Foundation
import Workload

/// The values of one person, as Swift types.
package struct Sample: Sendable {
  package let name: String
  package let email: String
  package let age: Int
  package let score: Double
  package let joined: Date
  package let avatar: Data
  package let note: String?

  /// Creates the person with a number, counted from 0.
  package init(_ number: Int) {
    var person = workload_person()
    workload_person(Int64(number), &person)
    name = Self.text(&person.name)
    email = Self.text(&person.email)
    age = Int(person.age)
    score = person.score
    joined = Date(timeIntervalSince1970: person.joined)
    avatar = withUnsafeBytes(of: &person.avatar) { Data($0) }
    note = person.has_note ? Self.text(&person.note) : nil
  }

  private static func text<Letters>(_ letters: inout Letters) -> String {
    withUnsafeBytes(of: &letters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// Returns the name of the pet with a number.
  package static func pet(_ number: Int) -> String {
    var letters = [CChar](repeating: 0, count: 32)
    workload_pet(Int64(number), &letters)
    return letters.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// Returns the k-th of a series of numbers below `count`.
package func choice(_ k: Int, below count: Int) -> Int {
  Int(workload_choice(Int64(k), Int64(count)))
}
