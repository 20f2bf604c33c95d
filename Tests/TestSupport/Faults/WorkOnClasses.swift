import Foundation
import ObjectVaultCore
import ObjectVaultEngine

/// Migrations of a table to the current definition of its class.
let worksOnClasses: [any FaultedOperation] = [
  upgrading(
    "upgrade-add",
    to: ClassDescription(
      "Player",
      properties: players.properties + [
        PropertyDescription("rank", Int.self, defaultValue: 3),
        PropertyDescription("nick", String?.self),
      ], indexes: [IndexDescription(["age"])]),
    row: { player(in: $0) + [.integer(3), .null] }),
  upgrading(
    "upgrade-rebuild",
    to: ClassDescription(
      "Player",
      properties: [
        players.properties[0], PropertyDescription("age", String.self), players.properties[2],
        players.properties[3],
      ]),
    row: { index in
      var row = player(in: index)
      row[1] = .text(String(index))
      return row
    }),
  upgrading(
    "upgrade-rename",
    to: ClassDescription("Sportsman", properties: players.properties, renamedFrom: ["Player"]),
    row: player),
  upgrading(
    "upgrade-objectid",
    to: ClassDescription("Player", properties: players.properties, objectID: ["name"]),
    row: player),
  upgrading(
    "upgrade-reference",
    to: ClassDescription(
      "Player", properties: players.properties,
      references: [ReferenceDescription("team", target: "Team", onDelete: .cascade)]),
    row: player),
]

private let teams = ClassDescription("Team", properties: [PropertyDescription("name", String.self)])

private let players = ClassDescription(
  "Player",
  properties: [
    PropertyDescription("name", String.self), PropertyDescription("age", Int.self),
    PropertyDescription("team", Int64?.self), PropertyDescription("content", Data.self),
  ])

private let numbers = 1...16

/// Returns the values of a player's properties.
private func player(in index: Int) -> [StoredValue] {
  var random = SeededGenerator(seed: UInt64(index))
  let content = (0..<4000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  return [
    .text("player \(index)"), .integer(Int64(index)),
    index.isMultiple(of: 3) ? .null : .integer(Int64(1 + index % 2)), .blob(content),
  ]
}

/// Creates a migration.
///
/// - Parameters:
///   - name: The name of the operation.
///   - description: The class after the migration.
///   - row: The values of a player by number after the migration.
/// - Returns: The operation.
private func upgrading(
  _ name: String, to description: ClassDescription,
  row: @escaping @Sendable (Int) -> [StoredValue]
) -> FaultedWork {
  FaultedWork(
    name: name,
    making: { folder in
      let vault = try Vault(at: folder + "/v", key: ParcelFile.old)
      try insert(["red", "blue"].map { [.text($0)] }, of: teams, into: vault)
      try insert(numbers.map(player), of: players, into: vault)
      vault.close()
    },
    performing: { folder in
      let vault = try Vault(at: folder + "/v", key: ParcelFile.old)
      defer { vault.close() }
      _ = try vault.store(of: description)
    },
    looking: { place, isThorough in
      var configuration = VaultConfiguration()
      configuration.creation = .never
      let vault = try Vault(
        at: place.path("v"), key: ParcelFile.old, configuration: configuration)
      defer { vault.close() }
      let classes = try vault.classes()
      let outcome: FaultOutcome
      let now: ClassDescription
      switch classes {
      case _ where classes.contains(description): (outcome, now) = (.after, description)
      case _ where classes.contains(players): (outcome, now) = (.before, players)
      default: throw FaultViolation("the file describes \(classes.map(\.name))")
      }
      guard classes.count == 2, classes.contains(teams) else {
        throw FaultViolation("the file describes \(classes.map(\.name))")
      }
      // Opening the store for writing must find a matching table, without a failing statement.
      let store = try vault.store(of: now)
      let expected = numbers.map { outcome == .after ? row($0) : player(in: $0) }
      guard try store.all().map(\.allValues) == expected else {
        throw FaultViolation("the objects are not what they were")
      }
      // Insert and remove another object, so that the next check finds the same objects.
      try insert([outcome == .after ? row(99) : player(in: 99)], of: now, into: vault)
      try store.where("name == 'player 99'").remove()
      guard try store.count() == numbers.count else { throw FaultViolation("an object is lost") }
      if isThorough { try checkByShell(place.path("v")) }
      return outcome
    })
}

private func insert(
  _ rows: [[StoredValue]], of description: ClassDescription, into vault: Vault
) throws {
  try vault.store(of: description).insert(
    contentsOf: rows.map { values in
      var object = try DynamicObject(of: description)
      for (property, value) in zip(description.properties, values) {
        try object.set(property.name, to: value)
      }
      return object
    })
}

/// Checks that the stock shell finds no error, including the references.
private func checkByShell(_ path: String) throws {
  let answer = try CipherShell.run(
    path,
    [
      "PRAGMA key=\"x'\(ParcelFile.oldDigits)'\";", "PRAGMA cipher_page_size=4096;",
      "PRAGMA foreign_key_check;", "PRAGMA integrity_check;",
    ])
  guard answer.split(separator: "\n").filter({ $0 != "ok" }).isEmpty, answer.contains("ok\n")
  else { throw FaultViolation("the stock shell says: \(answer)") }
}
