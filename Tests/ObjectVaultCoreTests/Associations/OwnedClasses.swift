import Foundation
import ObjectVaultCore
import ObjectVaultEngine

/// A grade owns classes, a class its teacher and its pupils, who are all people; a person owns notes.
struct GradeLevel: StoredObject, Hashable, Sendable {
  var name: String
  var classes: [SchoolClass]?

  init(_ name: String, classes: [SchoolClass]? = nil) {
    self.name = name
    self.classes = classes
  }

  static let classDescription = ClassDescription(
    "GradeLevel",
    members: [
      .property(.init("name", String.self)),
      .owned("classes", SchoolClass.self, reference: "grade"),
    ], objectID: ["name"])
  static let referenceTarget = ReferenceTarget(table: "GradeLevel", columns: ["name"])
  static var referencedClasses: [any StoredObject.Type] { [SchoolClass.self] }
  static var ownedProperties: [OwnedProperty<GradeLevel>] {
    [.many(\.classes, by: \SchoolClass.grade)]
  }
  init(row: Row) throws { name = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  var storedObjectID: String? { name }
}

struct SchoolClass: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var title: String
  var grade: Ref<GradeLevel>?
  var teacher: Human?
  var pupils: [Human]?

  init(_ title: String, teacher: Human? = nil, pupils: [Human]? = nil) {
    self.title = title
    self.teacher = teacher
    self.pupils = pupils
  }

  static let classDescription = ClassDescription(
    "SchoolClass",
    members: [
      .property(.init("title", String.self)),
      .reference("grade", Ref<GradeLevel>?.self, onDelete: .cascade),
      .owned("teacher", Human.self, reference: "teaches", isMany: false),
      .owned("pupils", Human.self, reference: "attends", sortedBy: ["seat"]),
    ])
  static let referenceTarget = ReferenceTarget(table: "SchoolClass")
  static var referencedClasses: [any StoredObject.Type] { [GradeLevel.self, Human.self] }
  static var ownedProperties: [OwnedProperty<SchoolClass>] {
    [.one(\.teacher, by: \Human.teaches), .many(\.pupils, by: \Human.attends)]
  }
  init(row: Row) throws {
    title = try row.value(at: 0)
    grade = try row.value(at: 1)
    objectID = try row.value(at: 2)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(title, at: 0)
    try binder.bind(grade, at: 1)
  }
}

struct Human: StoredObject, GeneratesObjectID, Hashable, Sendable {
  var objectID: Int64?
  var name: String
  var seat: Int
  var teaches: Ref<SchoolClass>?
  var attends: Ref<SchoolClass>?

  init(_ name: String, seat: Int = 0) {
    self.name = name
    self.seat = seat
  }

  static let classDescription = ClassDescription(
    "Human",
    members: [
      .property(.init("name", String.self)), .property(.init("seat", Int.self)),
      .reference("teaches", Ref<SchoolClass>?.self, onDelete: .cascade),
      .reference("attends", Ref<SchoolClass>?.self, onDelete: .cascade),
    ])
  static let referenceTarget = ReferenceTarget(table: "Human")
  static var referencedClasses: [any StoredObject.Type] { [SchoolClass.self] }
  init(row: Row) throws {
    name = try row.value(at: 0)
    seat = try row.value(at: 1)
    teaches = try row.value(at: 2)
    attends = try row.value(at: 3)
    objectID = try row.value(at: 4)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(seat, at: 1)
    try binder.bind(teaches, at: 2)
    try binder.bind(attends, at: 3)
  }
}

/// A team, and its leaders and members, who are instances of one class.
struct Team: StoredObject {
  var name: String
  var leaders: [TeamMember]?
  var members: [TeamMember]?

  init(_ name: String, leaders: [TeamMember], members: [TeamMember]) {
    (self.name, self.leaders, self.members) = (name, leaders, members)
  }

  static let classDescription = ClassDescription(
    "Team",
    members: [
      .property(.init("name", String.self)),
      .owned("leaders", TeamMember.self, reference: "leads"),
      .owned("members", TeamMember.self, reference: "team"),
    ], objectID: ["name"])
  static let referenceTarget = ReferenceTarget(table: "Team", columns: ["name"])
  static var referencedClasses: [any StoredObject.Type] { [TeamMember.self] }
  static var ownedProperties: [OwnedProperty<Team>] {
    [.many(\.leaders, by: \TeamMember.leads), .many(\.members, by: \TeamMember.team)]
  }
  init(row: Row) throws { name = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  var storedObjectID: String? { name }
}

final class TeamMember: StoredObject, GeneratesObjectID {
  var objectID: Int64?
  var name: String
  var leads: Ref<Team>?
  var team: Ref<Team>?

  init(_ name: String) { self.name = name }

  static let classDescription = ClassDescription(
    "TeamMember",
    members: [
      .property(.init("name", String.self)),
      .reference("leads", Ref<Team>?.self, onDelete: .cascade),
      .reference("team", Ref<Team>?.self, onDelete: .cascade),
    ])
  static let referenceTarget = ReferenceTarget(table: "TeamMember")
  static var referencedClasses: [any StoredObject.Type] { [Team.self] }
  init(row: Row) throws {
    (name, leads) = (try row.value(at: 0), try row.value(at: 1))
    (team, objectID) = (try row.value(at: 2), try row.value(at: 3))
  }
  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(leads, at: 1)
    try binder.bind(team, at: 2)
  }
}

/// An object ID with more digits in memory than in the file.
struct Moment: ConvertibleToStorable, ObjectIDValue {
  let date: Date
  init(_ seconds: Double) { date = Date(timeIntervalSince1970: seconds) }
  init(stored: Date) { date = stored }
  var stored: Date { date }
}

/// A meter with its readings.
struct Meter: StoredObject, Hashable {
  var name: String
  var readings: [MeterReading]?

  init(_ name: String, readings: [MeterReading]) { (self.name, self.readings) = (name, readings) }

  static let classDescription = ClassDescription(
    "Meter",
    members: [
      .property(.init("name", String.self)),
      .owned("readings", MeterReading.self, reference: "meter"),
    ], objectID: ["name"])
  static let referenceTarget = ReferenceTarget(table: "Meter", columns: ["name"])
  static var referencedClasses: [any StoredObject.Type] { [MeterReading.self] }
  static var ownedProperties: [OwnedProperty<Meter>] {
    [.many(\.readings, by: \MeterReading.meter)]
  }
  init(row: Row) throws { name = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  var storedObjectID: String? { name }
}

struct MeterReading: StoredObject, Hashable {
  var moment: Moment
  var value: Int
  var meter: Ref<Meter>?

  init(at moment: Moment, value: Int) { (self.moment, self.value) = (moment, value) }

  static let classDescription = ClassDescription(
    "MeterReading",
    members: [
      .property(.init("moment", Moment.self)), .property(.init("value", Int.self)),
      .reference("meter", Ref<Meter>?.self, onDelete: .cascade),
    ], objectID: ["moment"])
  static var referencedClasses: [any StoredObject.Type] { [Meter.self] }
  init(row: Row) throws {
    (moment, value) = (try row.value(at: 0), try row.value(at: 1))
    meter = try row.value(at: 2)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(moment, at: 0)
    try binder.bind(value, at: 1)
    try binder.bind(meter, at: 2)
  }
  var storedObjectID: Moment? { moment }
}

/// A wall with hooks, each of which can refer to the next one.
struct Wall: StoredObject, Hashable {
  var name: String
  var hooks: [Hook]?

  init(_ name: String, hooks: [Hook]) { (self.name, self.hooks) = (name, hooks) }

  static let classDescription = ClassDescription(
    "Wall",
    members: [
      .property(.init("name", String.self)), .owned("hooks", Hook.self, reference: "wall"),
    ], objectID: ["name"])
  static let referenceTarget = ReferenceTarget(table: "Wall", columns: ["name"])
  static var referencedClasses: [any StoredObject.Type] { [Hook.self] }
  static var ownedProperties: [OwnedProperty<Wall>] { [.many(\.hooks, by: \Hook.wall)] }
  init(row: Row) throws { name = try row.value(at: 0) }
  func encode(into binder: Binder) throws { try binder.bind(name, at: 0) }
  var storedObjectID: String? { name }
}

struct Hook: StoredObject, Hashable {
  var code: String
  var wall: Ref<Wall>?
  var next: Ref<Hook>?

  init(_ code: String) { self.code = code }

  static let classDescription = ClassDescription(
    "Hook",
    members: [
      .property(.init("code", String.self)),
      .reference("wall", Ref<Wall>?.self, onDelete: .cascade),
      .reference("next", Ref<Hook>?.self, onDelete: .noAction),
    ], objectID: ["code"])
  static let referenceTarget = ReferenceTarget(table: "Hook", columns: ["code"])
  static var referencedClasses: [any StoredObject.Type] { [Wall.self, Hook.self] }
  init(row: Row) throws {
    (code, wall) = (try row.value(at: 0), try row.value(at: 1))
    next = try row.value(at: 2)
  }
  func encode(into binder: Binder) throws {
    try binder.bind(code, at: 0)
    try binder.bind(wall, at: 1)
    try binder.bind(next, at: 2)
  }
  var storedObjectID: String? { code }
}

/// A crew that refers to one of the sailors that it owns.
struct Crew: StoredObject, Hashable {
  var name: String
  var leader: Ref<Sailor>?
  var sailors: [Sailor]?

  init(_ name: String, leader: String, _ sailors: [String]) {
    (self.name, self.leader) = (name, Ref(id: leader))
    self.sailors = sailors.map { Sailor($0) }
  }

  static let classDescription = ClassDescription(
    "Crew",
    members: [
      .property(.init("name", String.self)),
      .reference("leader", Ref<Sailor>?.self, onDelete: .nullify),
      .owned("sailors", Sailor.self, reference: "crew"),
    ], objectID: ["name"])
  static let referenceTarget = ReferenceTarget(table: "Crew", columns: ["name"])
  static var referencedClasses: [any StoredObject.Type] { [Sailor.self] }
  static var ownedProperties: [OwnedProperty<Crew>] { [.many(\.sailors, by: \Sailor.crew)] }
  init(row: Row) throws { (name, leader) = (try row.value(at: 0), try row.value(at: 1)) }
  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(leader, at: 1)
  }
  var storedObjectID: String? { name }
}

struct Sailor: StoredObject, Hashable {
  var name: String
  var crew: Ref<Crew>?

  init(_ name: String) { self.name = name }

  static let classDescription = ClassDescription(
    "Sailor",
    members: [
      .property(.init("name", String.self)),
      .reference("crew", Ref<Crew>?.self, onDelete: .cascade),
    ], objectID: ["name"])
  static let referenceTarget = ReferenceTarget(table: "Sailor", columns: ["name"])
  static var referencedClasses: [any StoredObject.Type] { [Crew.self] }
  init(row: Row) throws { (name, crew) = (try row.value(at: 0), try row.value(at: 1)) }
  func encode(into binder: Binder) throws {
    try binder.bind(name, at: 0)
    try binder.bind(crew, at: 1)
  }
  var storedObjectID: String? { name }
}
