import ConditionReference
import Foundation
import ObjectVaultCondition
import ObjectVaultCore

/// A small vault that is queried with arbitrary text.
final class FuzzedCondition {
  nonisolated(unsafe) static let shared = FuzzedCondition()

  private let folder = FuzzedFile.folder()
  private let vault: Vault
  private let stores: [ObjectStore<DynamicObject>]

  private init() {
    do {
      vault = try Vault(at: folder + "/fuzz.vault", key: .raw([UInt8](repeating: 7, count: 32)))
      let room = ClassDescription(
        "Room", properties: [.init("name", String.self), .init("floor", Int.self)],
        objectID: ["name"],
        owned: [OwnedDescription("students", target: "Student", reference: "room")])
      let student = ClassDescription(
        "Student",
        properties: [
          .init("name", String.self), .init("age", Int?.self), .init("height", Float.self),
          .init("fee", type: .decimal), .init("born", Date.self), .init("isTall", Bool.self),
          .init("photo", Data?.self), .init("room", String?.self),
        ],
        references: [.init("room", target: "Room", targetColumns: ["name"], onDelete: .nullify)])
      stores = [try vault.store(of: room), try vault.store(of: student)]
    } catch {
      fatalError("the vault of the fuzzer cannot be made: \(error)")
    }
  }

  /// Queries both classes, and checks that the engine never rejects a condition that the checker
  /// accepts.
  func ask(_ text: String) throws {
    let condition = try Condition.parse(text)
    let again = try Condition.parse(condition.text)
    precondition(again == condition, "a condition prints as another")
    for store in stores {
      guard let query = try? store.where(text) else { continue }
      do {
        _ = try query.exists()
        _ = try query.count()
        _ = try query.explain()
      } catch let error as VaultError where error.code == .engineRefused {
        fatalError("the engine rejects a condition: \(error)")
      }
    }
  }
}
