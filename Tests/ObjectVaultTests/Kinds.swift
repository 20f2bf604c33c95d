import Foundation
import ObjectVault

enum Level: String, Codable, CaseIterable { case low, high }

struct Place: Codable, Equatable {
  var street: String
  var number: Int?
}

struct Celsius: ConvertibleToStorable, Equatable {
  var degrees: Double
  init(degrees: Double) { self.degrees = degrees }
  init(stored degrees: Double) { self.degrees = degrees }
  var stored: Double { degrees }
}

/// Every kind of property that can be stored, each also as an optional.
@Stored
struct Kinds: Equatable {
  var bool: Bool
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint: UInt
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var uint64: UInt64
  var float: Float
  var double: Double
  var string: String
  var substring: Substring
  var character: Character
  var data: Data
  var bytes: [UInt8]
  var date: Date
  var uuid: UUID
  var url: URL
  var decimal: Decimal
  var level: Level
  var array: [String]
  var set: Set<Int>
  var dictionary: [String: Double]
  var place: Place
  var places: [Place]
  var celsius: Celsius
}

/// The same kinds, optional.
@Stored
struct OptionalKinds: Equatable {
  var bool: Bool?
  var int: Int?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var uint: UInt?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var uint64: UInt64?
  var float: Float?
  var double: Double?
  var string: String?
  var substring: Substring?
  var character: Character?
  var data: Data?
  var bytes: [UInt8]?
  var date: Date?
  var uuid: UUID?
  var url: URL?
  var decimal: Decimal?
  var level: Level?
  var array: [String]?
  var set: Set<Int>?
  var dictionary: [String: Double]?
  var place: Place?
  var places: [Place]?
  var celsius: Celsius?
}
