import Foundation
import SwiftWorkload

/// A type of persons: a struct, a class, or objects of a class that is described at run time.
protocol Subject: VaultObject, Sendable {
  static func store(in vault: Subjects) throws -> ObjectStore<Self>
  init(_ sample: Sample)
  static func id(_ number: Int) -> ObjectIDType
  static func number(of id: ObjectIDType) -> Int
  var ageInYears: Int { get }
  /// Sets all values to those of a person.
  mutating func take(_ sample: Sample) throws
  /// Sets age and score to those of a person.
  mutating func takePart(of sample: Sample) throws
}

extension Subject where Self: StoredObject {
  static func store(in vault: Subjects) throws -> ObjectStore<Self> {
    try vault.store(of: Self.self)
  }
}

extension Subject where ObjectIDType == Int64 {
  static func id(_ number: Int) -> Int64 { Int64(number) }
  static func number(of id: Int64) -> Int { Int(id) }
}

extension Person: Subject {
  init(_ sample: Sample) {
    self.init(
      name: sample.name, email: sample.email, age: sample.age, score: sample.score,
      joined: sample.joined, avatar: sample.avatar, note: sample.note)
  }

  var ageInYears: Int { age }

  mutating func take(_ sample: Sample) {
    (name, email, age, score) = (sample.name, sample.email, sample.age, sample.score)
    (joined, avatar, note) = (sample.joined, sample.avatar, sample.note)
  }

  mutating func takePart(of sample: Sample) { (age, score) = (sample.age, sample.score) }
}

extension IndexedPerson: Subject {
  init(_ sample: Sample) {
    self.init(
      name: sample.name, email: sample.email, age: sample.age, score: sample.score,
      joined: sample.joined, avatar: sample.avatar, note: sample.note)
  }

  var ageInYears: Int { age }

  mutating func take(_ sample: Sample) { takePart(of: sample) }
  mutating func takePart(of sample: Sample) { (age, score) = (sample.age, sample.score) }
}

extension PersonObject: Subject, @unchecked Sendable {
  convenience init(_ sample: Sample) {
    self.init(
      name: sample.name, email: sample.email, age: sample.age, score: sample.score,
      joined: sample.joined, avatar: sample.avatar, note: sample.note)
  }

  var ageInYears: Int { age }

  func take(_ sample: Sample) {
    (name, email, age, score) = (sample.name, sample.email, sample.age, sample.score)
    (joined, avatar, note) = (sample.joined, sample.avatar, sample.note)
  }

  func takePart(of sample: Sample) { (age, score) = (sample.age, sample.score) }
}

extension DynamicObject: Subject {
  static func store(in vault: Subjects) throws -> ObjectStore<DynamicObject> {
    try vault.store(of: Person.classDescription)
  }

  static func id(_ number: Int) -> DynamicObjectID { DynamicObjectID(.integer(Int64(number))) }

  static func number(of id: DynamicObjectID) -> Int {
    if case .integer(let number) = id.objectIDParts[0] { Int(number) } else { 0 }
  }

  init(_ sample: Sample) {
    do {
      try self.init(of: Person.classDescription)
      try take(sample)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  var ageInYears: Int {
    if case .integer(let age)? = try? value(of: "age") { Int(age) } else { 0 }
  }

  mutating func take(_ sample: Sample) throws {
    try takePart(of: sample)
    try set("name", to: .text(sample.name))
    try set("email", to: .text(sample.email))
    try set("joined", to: sample.joined.storedValue)
    try set("avatar", to: sample.avatar.storedValue)
    try set("note", to: sample.note.storedValue)
  }

  mutating func takePart(of sample: Sample) throws {
    try set("age", to: .integer(Int64(sample.age)))
    try set("score", to: .real(sample.score))
  }
}
