import Foundation
import ObjectVaultCondition
import TestSupport
import Testing

import ObjectVaultCore

@Suite("A class whose table has no numbers of rows")
struct WithoutRowIDTests {
  private static let seat = ClassDescription(
    "Seat",
    properties: [
      .init("row", Int.self), .init("place", String.self), .init("taken", Bool.self),
    ], objectID: ["row", "place"], indexes: [IndexDescription(["taken"])],
    options: TableOptions(withoutRowID: true))
  private static let guest = ClassDescription(
    "Guest",
    properties: [
      .init("name", String.self), .init("seat_row", Int?.self), .init("seat_place", String?.self),
    ], objectID: ["name"],
    references: [
      ReferenceDescription(
        "seat", properties: ["seat_row", "seat_place"], target: "Seat",
        targetColumns: ["row", "place"], onDelete: .cascade)
    ], options: TableOptions(withoutRowID: true))

  private func seats(_ count: Int) throws -> ChangingVault {
    let vault = try ChangingVault()
    let store = try vault.vault.store(of: Self.seat)
    try store.insert(
      contentsOf: (0..<count).reversed().map { number in
        var seat = try DynamicObject(of: Self.seat)
        try seat.set("row", to: .integer(Int64(number / 10)))
        try seat.set("place", to: .text("\(number % 10)"))
        try seat.set("taken", to: .integer(Int64(number % 2)))
        return seat
      })
    return vault
  }

  @Test("has it in the file, and its objects in the order of their objectIDs", .covers("P66"))
  func order() throws {
    let vault = try seats(30)
    let sql = try vault.rows("SELECT sql FROM sqlite_master WHERE name = 'Seat'")
    #expect("\(sql)".contains(") WITHOUT ROWID"), "\(sql)")
    #expect(throws: VaultError.self) { try vault.rows("SELECT rowid FROM \"Seat\"") }
    let store = try vault.vault.store(of: Self.seat)
    let numbers = try store.all().map { object -> String in
      guard case .integer(let row) = try object.value(of: "row"),
        case .text(let place) = try object.value(of: "place")
      else { return "?" }
      return "\(row)\(place)"
    }
    #expect(numbers == (0..<30).map { "\($0 / 10)\($0 % 10)" })
    let last = try store.where("taken == TRUE").sorted(by: .descending("row")).first()
    #expect(try last?.value(of: "place") == .text("1"))
    var seen = 0
    try store.query.forEach { _ in seen += 1 }
    #expect(seen == 30)
    #expect(try store.where("row > 0").range(offset: 3, length: 4).all().count == 4)
    #expect(try store.where("row == 1").remove() == 10)
    #expect(try store.count() == 20)
  }

  @Test("is observed", .covers("P66"))
  func observed() async throws {
    let vault = try seats(4)
    let store = try await vault.vault.store(of: Self.seat)
    var counts = store.where("taken == TRUE").observe().makeAsyncIterator()
    #expect(try await counts.next()?.count == 2)
    try await onOwnThread { try store.where("place == '0'").update(set: ["taken": true]) }
    #expect(try await counts.next()?.count == 3)
    try await onOwnThread { try store.removeAll() }
    #expect(try await counts.next()?.count == 0)
  }

  @Test("is verified, backed up, rekeyed and salvaged with every object", .covers("P66"))
  func files() throws {
    let vault = try seats(500)
    #expect(try vault.vault.verify().isSound)
    let copy = vault.folder.file("copy.vault")
    try vault.vault.backup(to: copy)
    try vault.vault.rekey(to: .raw(2...33))
    #expect(try vault.vault.store(of: Self.seat).count() == 500)
    vault.vault.close()
    let saved = vault.folder.file("saved.vault")
    let report = try DatabaseFile(at: copy, key: ChangingVault.key)
      .salvage(to: saved, key: ChangingVault.key)
    #expect(report.isWhole)
    let again = try Vault(at: saved, key: ChangingVault.key)
    #expect(try again.store(of: Self.seat).count() == 500)
    #expect(try again.classes().contains(Self.seat))
  }

  @Test("refers to others and is referred to", .covers("P66"))
  func references() throws {
    let vault = try seats(3)
    let guests = try vault.vault.store(of: Self.guest)
    try vault.insert(
      Self.guest, [.text("Li"), .integer(0), .text("1")], [.text("Bo"), .null, .null])
    #expect(throws: VaultError.self) {
      try vault.insert(Self.guest, [.text("Ed"), .integer(7), .text("1")])
    }
    #expect(try guests.where("seat.taken == TRUE").count() == 1)
    let seats = try vault.vault.store(of: Self.seat)
    try seats.remove(id: DynamicObjectID([.integer(0), .text("1")]))
    #expect(try guests.all().map { try $0.value(of: "name") } == [.text("Bo")])
  }

  @Test(
    "is made anew when the class changes, both ways, and stays without when its objectID does",
    .covers("P66"))
  func upgraded() throws {
    let vault = try seats(12)
    var plain = Self.seat
    plain.options = TableOptions()
    let store = try vault.vault.store(of: plain)
    #expect(try store.count() == 12)
    #expect(try vault.rows("SELECT count(rowid) FROM \"Seat\"") == [[.integer(12)]])
    let back = try vault.reopened()
    #expect(try back.vault.store(of: Self.seat).count() == 12)
    var more = Self.seat
    more.properties[2] = PropertyDescription("taken", Int.self)
    more.objectID = .properties([1, 0])
    #expect(try back.vault.store(of: more).count() == 12)
    #expect(throws: VaultError.self) { try back.rows("SELECT rowid FROM \"Seat\"") }
    #expect(try back.vault.verify().isSound)
  }
}
