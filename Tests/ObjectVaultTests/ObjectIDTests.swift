import Foundation
import ObjectVault
import TestSupport
import Testing

@Stored
private struct Parcel {
  @ObjectID var code: [UInt8]
  var weight: Int
}

@Stored
private struct Pallet {
  @ObjectID var number: Swift.Int64?
  var objectid: Int { 5 }
}

@Suite("The objectID of types made by @Stored")
struct ObjectIDTests {
  @Test("without @ObjectID it is a generated number, nil until it is assigned", .covers("S2", "S4"))
  func generated() {
    var pupil = Pupil(given: "Li", family: "Wu", age: 7)
    #expect(pupil.objectID == nil && pupil.storedObjectID == nil)
    pupil.assignObjectID(12)
    #expect(pupil.objectID == 12 && pupil.storedObjectID == 12)
    #expect(Pupil.classDescription.objectID == .generated)
    #expect(!Pupil.classDescription.properties.contains { $0.name == "objectID" })
  }

  @Test("is assigned in place to an object of a class", .covers("S4"))
  func generatedForClass() {
    var note = Note()
    let same = note
    note.assignObjectID(3)
    #expect(same.objectID == 3)
  }

  @Test("is the one property that @ObjectID marks", .covers("S3", "X38"))
  func bound() {
    let country = Country(code: "CH", name: "Schweiz")
    let id: Country.ObjectIDType? = country.storedObjectID
    #expect(id == "CH")
    #expect(Country.classDescription.objectID == .properties([0]))
    #expect(!((country as Any) is any GeneratesObjectID))
  }

  @Test("an optional integer is filled in when the vault generates it")
  func optional() {
    var ticket = Ticket(number: nil, title: "A")
    #expect(ticket.storedObjectID == nil)
    ticket.assignObjectID(5)
    #expect(ticket.number == 5 && ticket.storedObjectID == 5)
    let visit = Visit(place: "Bern")
    visit.assignObjectID(6)
    #expect(visit.id == 6)
    #expect(Ticket.classDescription.properties[0].isOptional)
  }

  @Test("can be bytes")
  func bytes() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .ofTests)
    let parcels = try vault.store(of: Parcel.self)
    try parcels.insert(Parcel(code: [0, 255], weight: 3))
    #expect(try parcels.find([0, 255])?.weight == 3)
    #expect(try parcels.find([0]) == nil)
    withExtendedLifetime(folder) {}
  }

  @Test("can be an optional integer with the name of its module")
  func qualified() {
    var pallet = Pallet(number: nil)
    pallet.assignObjectID(5)
    #expect(pallet.storedObjectID == 5)
  }

  @Test("several properties make one together, in declaration order", .covers("X39"))
  func composite() throws {
    let subdivision = Subdivision(name: "Bern", country: "CH", code: 2)
    let id = try #require(subdivision.storedObjectID)
    #expect(id == Subdivision.CompositeID(country: "CH", code: 2))
    #expect(id != Subdivision.CompositeID(country: "CH", code: 3))
    #expect(try id.objectIDParts == [.text("CH"), .integer(2)])
    #expect(Subdivision.classDescription.objectID == .properties([1, 2]))
  }

  @Test("parts named by keywords make one too")
  func keywords() {
    let id = `class`.CompositeID(in: 1, row: "r")
    #expect(`class`(default: 1, self: "", in: 1, row: "r", binder: false).storedObjectID == id)
  }
}
