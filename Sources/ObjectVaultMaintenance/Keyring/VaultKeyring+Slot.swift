public import Foundation
public import ObjectVaultKeys

extension VaultKeyring {
  /// A slot of a keyring.
  public struct Slot: Sendable, Hashable {
    /// The name of the slot, unique in its keyring.
    public let name: String
    /// The kind of key that opens the slot.
    public let kind: SlotKind
    /// The cost of each attempt to open the slot, as the binary logarithm of scrypt's N; `nil` if
    /// the key is not stretched.
    public let cost: Int?
    /// The memory in bytes that each attempt needs; `nil` if the key is not stretched.
    public let memory: Int?
    /// The time when the slot got its key; `nil` if an older version of the library wrote the
    /// keyring.
    public let created: Date?
    /// The recipient whose identity opens the slot; `nil` for another kind.
    public let recipient: KeyringRecipient?
    /// The name of the key provider that opens the slot; `nil` for another kind.
    public let provider: String?

    init(_ slot: KeyringSlot) {
      name = slot.name
      kind = slot.kind
      cost = slot.cost?.exponent
      memory = slot.cost.map { Int(clamping: $0.memory) }
      created = slot.created.map { Date(timeIntervalSince1970: TimeInterval($0)) }
      recipient = slot.recipient
      provider = slot.provided?.provider
    }
  }
}
