import Foundation
import GRDB
import SwiftWorkload

/// A type of persons.
protocol PersonRecord: FetchableRecord, MutablePersistableRecord, Sendable {
  init(_ sample: Sample)
  var objectID: Int64? { get set }
  var age: Int { get }
  mutating func take(_ sample: Sample)
  mutating func takePart(of sample: Sample)
}

extension PersonRecord {
  static var databaseTableName: String { "Person" }

  mutating func didInsert(_ inserted: InsertionSuccess) { objectID = inserted.rowID }
}

/// A record that is written by hand.
struct HandPerson: PersonRecord {
  var objectID: Int64?
  var name: String
  var email: String
  var age: Int
  var score: Double
  var joined: Date
  var avatar: Data
  var note: String?

  init(_ sample: Sample) {
    (name, email, age, score) = (sample.name, sample.email, sample.age, sample.score)
    (joined, avatar, note) = (sample.joined, sample.avatar, sample.note)
  }

  init(row: Row) {
    objectID = row["objectID"]
    name = row["name"]
    email = row["email"]
    age = row["age"]
    score = row["score"]
    joined = Date(timeIntervalSince1970: row["joined"])
    avatar = row["avatar"]
    note = row["note"]
  }

  func encode(to container: inout PersistenceContainer) {
    container["objectID"] = objectID
    container["name"] = name
    container["email"] = email
    container["age"] = age
    container["score"] = score
    container["joined"] = joined.timeIntervalSince1970
    container["avatar"] = avatar
    container["note"] = note
  }

  mutating func take(_ sample: Sample) {
    (name, email, age, score) = (sample.name, sample.email, sample.age, sample.score)
    (joined, avatar, note) = (sample.joined, sample.avatar, sample.note)
  }

  mutating func takePart(of sample: Sample) { (age, score) = (sample.age, sample.score) }
}

/// A record that `Codable` encodes and decodes.
struct CodablePerson: PersonRecord, Codable {
  var objectID: Int64?
  var name: String
  var email: String
  var age: Int
  var score: Double
  var joined: Date
  var avatar: Data
  var note: String?

  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSince1970
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSince1970
  }

  init(_ sample: Sample) {
    (name, email, age, score) = (sample.name, sample.email, sample.age, sample.score)
    (joined, avatar, note) = (sample.joined, sample.avatar, sample.note)
  }

  mutating func take(_ sample: Sample) {
    (name, email, age, score) = (sample.name, sample.email, sample.age, sample.score)
    (joined, avatar, note) = (sample.joined, sample.avatar, sample.note)
  }

  mutating func takePart(of sample: Sample) { (age, score) = (sample.age, sample.score) }
}

struct PetRecord: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "Pet"
  var objectID: Int64?
  var name: String
  var owner: Int64?

  mutating func didInsert(_ inserted: InsertionSuccess) { objectID = inserted.rowID }
}

struct KeeperRecord: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "Keeper"
  static let toys = hasMany(ToyRecord.self)
  var objectID: Int64?
  var name: String

  mutating func didInsert(_ inserted: InsertionSuccess) { objectID = inserted.rowID }
}

struct ToyRecord: Codable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "Toy"
  var objectID: Int64?
  var name: String
  var keeper: Int64?

  mutating func didInsert(_ inserted: InsertionSuccess) { objectID = inserted.rowID }
}

/// A keeper with its owned objects.
struct KeeperWithToys: Decodable, FetchableRecord {
  var keeper: KeeperRecord
  var toys: [ToyRecord]
}
