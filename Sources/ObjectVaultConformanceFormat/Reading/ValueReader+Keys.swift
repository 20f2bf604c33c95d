extension ValueReader {
  private static let rightKey =
    "{raw: HEX}, {passphrase: TEXT} or {keyring: KEY OF A SLOT, at: PATH}, where 'at' is optional"
  private static let rightSlotKey =
    "{passphrase: TEXT}, {recoveryCode: TEXT}, {keyFile: BYTES} or {raw: HEX}; 'slot' is optional"

  /// Returns the key of a vault.
  func key(
    _ node: FixtureNode, index: Int64?, budget: inout ExpansionBudget
  ) throws(FixtureError) -> FixtureValue {
    let entries = node.entries ?? []
    guard let entry = entries.first(where: { $0.key != "at" }), entries.count == 1 || isAt(node)
    else { throw error("expected a key: \(Self.rightKey)", node) }
    var members: [FixtureValue.Member] = []
    let form: FixtureForm
    switch entry.key {
    case "raw": form = .text
    case "passphrase": form = .bytes
    case "keyring": form = .slotKey
    default: throw error("a key must be \(Self.rightKey), not '\(entry.key)'", entry.line)
    }
    members.append(
      .init(entry.key, try read(entry.value, as: form, index: index, budget: &budget)))
    if let at = node["at"] {
      members.append(.init("at", try read(at, as: .text, index: index, budget: &budget)))
    }
    return .object(members)
  }

  /// Whether a mapping has only the fields `keyring` and `at`.
  private func isAt(_ node: FixtureNode) -> Bool {
    node.entries?.count == 2 && node["at"] != nil && node["keyring"] != nil
  }

  /// Returns the key of a slot of a keyring.
  func slotKey(
    _ node: FixtureNode, index: Int64?, budget: inout ExpansionBudget
  ) throws(FixtureError) -> FixtureValue {
    let secrets = node.entries?.filter { $0.key != "slot" } ?? []
    guard secrets.count == 1, let entry = secrets.first else {
      throw error("expected the key of a slot: \(Self.rightSlotKey)", node)
    }
    let form: FixtureForm
    switch entry.key {
    case "passphrase", "keyFile": form = .bytes
    case "recoveryCode", "raw": form = .text
    default:
      throw error("the key of a slot must be \(Self.rightSlotKey), not '\(entry.key)'", entry.line)
    }
    var members: [FixtureValue.Member] = [
      .init(entry.key, try read(entry.value, as: form, index: index, budget: &budget))
    ]
    if let slot = node["slot"] {
      members.append(.init("slot", try read(slot, as: .text, index: index, budget: &budget)))
    }
    return .object(members)
  }
}
