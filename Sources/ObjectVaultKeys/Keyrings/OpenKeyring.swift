/// A keyring with its master key, which can decrypt data keys and be changed.
///
/// Every change creates a complete keyring with the next generation. The previous keyring stays
/// valid until the new one is stored.
package struct OpenKeyring: Sendable {
  package private(set) var keyring: Keyring
  private let master: SharedSecret
  /// The slot that opened the keyring.
  package let slotID: [UInt8]

  init(_ keyring: Keyring, master: SharedSecret, slotID: [UInt8]) {
    self.keyring = keyring
    self.master = master
    self.slotID = slotID
  }

  /// Returns a new keyring with one slot and a random master key.
  ///
  /// - Parameters:
  ///   - vaultID: The vault of the keyring.
  ///   - secret: The secret that opens the first slot.
  ///   - name: The name of the first slot.
  ///   - cost: The cost of the derivation.
  /// - Returns: The keyring.
  /// - Throws: `slotRefused` for an invalid name.
  package static func make(
    for vaultID: [UInt8], opening secret: SlotSecret, named name: String,
    cost: ScryptCost = .standard
  ) throws(KeyError) -> OpenKeyring {
    if case .recipient = secret.form {
      throw KeyError(
        .invalidKey,
        "A recipient is a public key and opens no slot. Create the keyring with another key, then "
          + "add the recipient.")
    }
    let master = try Secret.random(count: KeyDerivation.rawKeyCount)
    try checkName(name)
    let slot = try KeyringSlot(
      wrapping: master, under: secret, name: name, vaultID: vaultID, cost: cost)
    var made = OpenKeyring(
      Keyring(vaultID: vaultID, generation: 0, slots: [slot], epochs: [], code: []),
      master: SharedSecret(master), slotID: slot.id)
    try made.authenticate()
    return made
  }

  /// Throws an error if the keyring was opened before a fork.
  ///
  /// - Throws: `madeBeforeFork` in a process that was forked since the keyring was opened.
  func checkProcess() throws(KeyError) { try master.checkProcess() }

  /// Calls a closure with the borrowed master key.
  func withMaster<Result>(
    _ body: (borrowing Secret) throws(KeyError) -> Result
  ) throws(KeyError) -> Result {
    try master.withSecret(body)
  }

  // MARK: Slots

  /// Adds a slot, at the cost of one derivation.
  package mutating func addSlot(
    _ name: String, opening secret: SlotSecret, cost: ScryptCost = .standard
  ) throws(KeyError) {
    try Self.checkName(name)
    try checkUnused(name)
    guard keyring.slots.count < Keyring.maximumSlots else {
      throw KeyError(
        .slotRefused,
        "The keyring has \(Keyring.maximumSlots) slots, the maximum. Remove a slot first.")
    }
    var slots = keyring.slots
    slots.append(try slot(name, opening: secret, cost: cost))
    try replaceSlots(by: slots)
  }

  /// Removes a slot, unless it is the last one.
  package mutating func removeSlot(_ name: String) throws(KeyError) {
    let position = try position(of: name)
    guard keyring.slots.count > 1 else {
      throw KeyError(
        .slotRefused,
        "'\(name)' is the only slot of the keyring, and the vault cannot be opened without it. Add "
          + "another slot first.")
    }
    keyring.slots.remove(at: position)
    try authenticate()
  }

  /// Renames a slot.
  ///
  /// The secret is required because the name is authenticated with the wrapped key.
  package mutating func renameSlot(
    _ name: String, to newName: String, opening secret: SlotSecret
  ) throws(KeyError) {
    try Self.checkName(newName)
    let position = try position(of: name)
    try checkUnused(newName, except: position)
    let old = keyring.slots[position]
    try check(secret, opens: old)
    keyring.slots[position] = try rewritten(
      old, name: newName, opening: secret, cost: old.cost ?? .standard)
    try authenticate()
  }

  /// Raises the cost of the slot that opened the keyring, at the cost of two derivations.
  ///
  /// - Parameters:
  ///   - secret: The secret of that slot.
  ///   - cost: The new cost.
  /// - Returns: Whether the slot changed: `false` if its secret is not stretched, or if its cost is
  ///   the same or higher.
  /// - Throws: `slotRefused` if the cost would be too high with that of the other slots; `wrongKey`
  ///   if the secret does not open the slot.
  package mutating func raiseCost(
    opening secret: SlotSecret, to cost: ScryptCost
  ) throws(KeyError) -> Bool {
    guard let position = keyring.slots.firstIndex(where: { $0.id == slotID }),
      let present = keyring.slots[position].cost, present.isLower(than: cost)
    else { return false }
    var slots = keyring.slots
    try check(secret, opens: slots[position])
    slots[position] = try rewritten(
      slots[position], name: slots[position].name, opening: secret, cost: cost)
    try replaceSlots(by: slots)
    return true
  }

  /// Replaces the secret of a slot with one of any kind, at the cost of one derivation.
  package mutating func changeSecret(
    ofSlot name: String, to secret: SlotSecret, cost: ScryptCost = .standard
  ) throws(KeyError) {
    let position = try position(of: name)
    var slots = keyring.slots
    slots[position] = try slot(name, opening: secret, id: slots[position].id, cost: cost)
    try replaceSlots(by: slots)
  }

  /// Returns a keyring with a new master key for the same vault.
  ///
  /// Revocation requires it, because a person who opened a slot may have stored the old master key.
  /// Only the given slots are retained, with their identifiers and dates. The data keys of the
  /// epochs are wrapped again, and so are the sealing keys: also other databases, such as those of
  /// servers, may have values that are sealed under them.
  ///
  /// - Parameters:
  ///   - slots: The names and secrets of the slots to retain.
  ///   - cost: The minimum cost of the derivations. A slot retains a higher cost. If the slots
  ///     would exceed the work that a keyring may require, all retain their costs.
  /// - Returns: The keyring.
  /// - Throws: `KeyError`.
  package func withNewMaster(
    keeping slots: [(name: String, secret: SlotSecret)], cost: ScryptCost = .standard
  ) throws(KeyError) -> OpenKeyring {
    guard let first = slots.first else {
      throw KeyError(.slotRefused, "A keyring needs at least one slot. Specify the slots to keep.")
    }
    let master = SharedSecret(try Secret.random(count: KeyDerivation.rawKeyCount))
    var made = OpenKeyring(keyring, master: master, slotID: try slot(named: first.name).id)
    made.keyring.slots = []
    let kept = try slots.map { slot throws(KeyError) in try self.slot(named: slot.name) }
    let costs = Self.costs(of: kept, atLeast: cost)
    for (index, slot) in kept.enumerated() {
      try KeyCancellation.check()
      // Earlier versions accepted names that differ only in their bytes.
      guard made.keyring.slot(named: slot.name) == nil else { throw Self.taken(slot.name) }
      try made.replaceSlots(
        by: made.keyring.slots
          + [
            try made.rewritten(
              slot, name: slot.name, opening: slots[index].secret, cost: costs[index])
          ])
    }
    made.keyring.epochs = []
    for epoch in keyring.epochs {
      made.keyring.epochs.append(
        try made.epoch(
          wrapping: try dataKey(of: epoch), salt: epoch.salt, format: epoch.format,
          pageSize: epoch.pageSize, header: epoch.header, state: epoch.state, id: epoch.id))
    }
    made.keyring.sealing = try made.wrapped(sealingKeys())
    made.keyring.generation = keyring.generation
    try made.authenticate()
    return made
  }

  /// Returns a new keyring with the sealing keys of the keyring that it follows.
  ///
  /// The sealing key of its own master key gets the next number.
  ///
  /// - Parameter keys: The sealing keys of the former keyring, with the numbers from 1.
  /// - Returns: The keyring.
  /// - Throws: `KeyError`.
  package func retaining(_ keys: SealingKeys) throws(KeyError) -> OpenKeyring {
    var made = self
    made.keyring.sealing = try wrapped(keys)
    try made.authenticate()
    return made
  }

  /// Returns the keyring for a copy of the vault: the same slots and master key, without epochs.
  ///
  /// The generation continues, because the copy may have recorded the current one.
  package func forCopy() throws(KeyError) -> OpenKeyring {
    var copy = self
    copy.keyring.epochs = []
    try copy.authenticate()
    return copy
  }

  /// Returns the same keyring with a new generation, to replace a stored one that failed.
  package func following(_ generation: UInt64) throws(KeyError) -> OpenKeyring {
    var copy = self
    copy.keyring.generation = generation
    try copy.authenticate()
    return copy
  }

  /// Returns a later state of the keyring, or `nil` if it is older or fails authentication with the
  /// master key.
  package func following(_ later: Keyring) -> OpenKeyring? {
    guard later.generation >= keyring.generation,
      (try? master.withSecret({ try later.isAuthentic(under: $0) })) == true
    else { return nil }
    return OpenKeyring(later, master: master, slotID: slotID)
  }

  // MARK: Epochs

  /// Returns the data key of an epoch.
  ///
  /// - Parameter epoch: The epoch.
  /// - Returns: The data key.
  /// - Throws: `keyringTampered` if the data key cannot be unwrapped.
  package func dataKey(of epoch: KeyringEpoch) throws(KeyError) -> SharedSecret {
    let key = try master.withSecret { master throws(KeyError) -> SharedSecret? in
      guard let key = try epoch.dataKey(under: master, vaultID: keyring.vaultID) else {
        return nil
      }
      return SharedSecret(key)
    }
    guard let key else {
      throw KeyError(
        .keyringTampered,
        "A data key of the keyring does not decrypt with the keyring's master key. Restore the "
          + "keyring from a backup.")
    }
    return key
  }

  /// Adds an epoch with a random data key for a file that is about to be written.
  ///
  /// - Parameters:
  ///   - salt: The salt of the file.
  ///   - format: The cipher format of the file.
  ///   - pageSize: The page size of the file.
  ///   - header: The form of the first bytes of the file.
  ///   - state: The state of the epoch.
  ///   - isUnfinished: Returns whether the file of a pending epoch was never finished. The epoch is
  ///     dropped then.
  /// - Returns: The data key.
  /// - Throws: `KeyError`.
  package mutating func addEpoch(
    salt: FileSalt, format: CipherFormat, pageSize: Int, header: FileHeader = .encrypted,
    state: KeyringEpoch.State, dropping isUnfinished: (KeyringEpoch) -> Bool = { _ in false }
  ) throws(KeyError) -> SharedSecret {
    keyring.epochs.removeAll { $0.state == .pending && isUnfinished($0) }
    let dataKey = SharedSecret(try Secret.random(count: KeyDerivation.rawKeyCount))
    try addEpoch(
      wrapping: dataKey, salt: salt, format: format, pageSize: pageSize, header: header,
      state: state)
    return dataKey
  }

  /// Retires the pending epochs, because their files may have been moved before they were recorded.
  ///
  /// The code is not computed again: add an epoch next.
  package mutating func retirePendingEpochs() {
    for index in keyring.epochs.indices where keyring.epochs[index].state == .pending {
      keyring.epochs[index].state = .retired
    }
  }

  /// Adds an epoch for a file with a known data key.
  package mutating func addEpoch(
    wrapping dataKey: SharedSecret, salt: FileSalt, format: CipherFormat, pageSize: Int,
    header: FileHeader, state: KeyringEpoch.State
  ) throws(KeyError) {
    let epoch = try epoch(
      wrapping: dataKey, salt: salt, format: format, pageSize: pageSize, header: header,
      state: state)
    keyring.epochs.append(epoch)
    dropOldEpochs()
    try authenticate()
  }

  /// Makes the epoch of this salt the current one and retires the previous one.
  ///
  /// Pending epochs of other salts are dropped, because their files were never finished.
  package mutating func makeCurrent(_ salt: FileSalt) throws(KeyError) {
    for index in keyring.epochs.indices {
      switch keyring.epochs[index].state {
      case _ where keyring.epochs[index].salt == salt: keyring.epochs[index].state = .current
      case .current: keyring.epochs[index].state = .retired
      case .pending, .retired: break
      }
    }
    keyring.epochs.removeAll { $0.state == .pending }
    try authenticate()
  }

  // MARK: Parts

  private func slot(
    _ name: String, opening secret: SlotSecret, id: [UInt8]? = nil, cost: ScryptCost
  ) throws(KeyError) -> KeyringSlot {
    try master.withSecret { master throws(KeyError) in
      try KeyringSlot(
        wrapping: master, under: secret, name: name, id: id, vaultID: keyring.vaultID, cost: cost)
    }
  }

  private func rewritten(
    _ slot: KeyringSlot, name: String, opening secret: SlotSecret, cost: ScryptCost
  ) throws(KeyError) -> KeyringSlot {
    try master.withSecret { master throws(KeyError) in
      try slot.rewritten(
        wrapping: master, name: name, opening: secret, vaultID: keyring.vaultID, cost: cost)
    }
  }

  private func epoch(
    wrapping dataKey: SharedSecret, salt: FileSalt, format: CipherFormat, pageSize: Int,
    header: FileHeader, state: KeyringEpoch.State, id: [UInt8]? = nil
  ) throws(KeyError) -> KeyringEpoch {
    try master.withSecret { master throws(KeyError) in
      try dataKey.withSecret { dataKey throws(KeyError) in
        try KeyringEpoch(
          wrapping: dataKey, under: master, salt: salt, format: format, pageSize: pageSize,
          header: header, state: state, vaultID: keyring.vaultID, id: id)
      }
    }
  }

  /// Returns the costs at which slots are written again: none is lower than before.
  ///
  /// - Parameters:
  ///   - slots: The slots.
  ///   - minimum: The cost that lower ones are raised to, unless the slots would exceed the work
  ///     that a keyring may require.
  /// - Returns: A cost for each slot. It is not used if the secret of the slot is not stretched.
  private static func costs(of slots: [KeyringSlot], atLeast minimum: ScryptCost) -> [ScryptCost] {
    let present = slots.map { $0.cost ?? minimum }
    let raised = present.map { $0.isLower(than: minimum) ? minimum : $0 }
    let work = zip(slots, raised).reduce(UInt64(0)) { $0 + ($1.0.cost == nil ? 0 : $1.1.work) }
    return work <= Keyring.maximumWork ? raised : present
  }

  private mutating func replaceSlots(by slots: [KeyringSlot]) throws(KeyError) {
    var changed = keyring
    changed.slots = slots
    guard changed.work <= Keyring.maximumWork else {
      throw KeyError(
        .slotRefused,
        "A slot of this cost makes it too slow to try a key on every slot of the keyring. Choose a "
          + "lower cost, or remove a slot.")
    }
    keyring = changed
    try authenticate()
  }

  /// Increments the generation and computes the code again.
  private mutating func authenticate() throws(KeyError) {
    guard keyring.generation < Keyring.maximumGeneration else {
      throw KeyError(
        .keyringMalformed,
        "The keyring records \(keyring.generation) changes, more than is possible. Restore it from "
          + "a backup.")
    }
    keyring.generation += 1
    keyring.code = try master.withSecret { master throws(KeyError) in
      try keyring.code(under: master)
    }
    keyring.datesCode = try master.withSecret { master throws(KeyError) in
      try keyring.datesCode(under: master)
    }
  }

  private mutating func dropOldEpochs() {
    while keyring.epochs.count > Keyring.maximumEpochs,
      let oldest = keyring.epochs.firstIndex(where: { $0.state == .retired })
    {
      keyring.epochs.remove(at: oldest)
    }
  }

  /// Throws `wrongKey` unless the secret opens the slot, so that it must not become a new key.
  private func check(_ secret: SlotSecret, opens slot: KeyringSlot) throws(KeyError) {
    guard try slot.master(opening: secret, vaultID: keyring.vaultID) != nil else {
      throw KeyError(
        .wrongKey,
        "The \(secret.kind.name) does not open the slot '\(slot.name)'. Check the key or the slot.")
    }
  }

  private func slot(named name: String) throws(KeyError) -> KeyringSlot {
    keyring.slots[try position(of: name)]
  }

  private func position(of name: String) throws(KeyError) -> Int {
    let position = keyring.slots.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
    guard let position else { throw keyring.noSuchSlot(name) }
    return position
  }

  /// Throws `slotRefused` if a slot, except the one at a position, has a name that looks the same.
  private func checkUnused(_ name: String, except position: Int? = nil) throws(KeyError) {
    if isUsed(name, except: position) { throw Self.taken(name) }
  }

  /// Returns whether a name is canonically equivalent to that of a slot.
  ///
  /// People cannot tell such names apart, although their bytes differ.
  private func isUsed(_ name: String, except position: Int?) -> Bool {
    keyring.slots.indices.contains { $0 != position && keyring.slots[$0].name == name }
  }

  private static func taken(_ name: String) -> KeyError {
    KeyError(.slotRefused, "The keyring already has a slot '\(name)'. Choose another name.")
  }

  private static func checkName(_ name: String) throws(KeyError) {
    guard KeyringSlot.isName(name) else {
      throw KeyError(
        .slotRefused,
        "The name of the slot is invalid: a name has 1 to 100 bytes of text without control "
          + "characters. Choose another name.")
    }
  }
}
