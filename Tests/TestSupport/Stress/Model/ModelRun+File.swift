internal import Foundation
internal import ObjectVaultCore

/// An error that rolls back a transaction.
private struct ChangeOfMind: Error {}

extension ModelRun {
  /// Performs some operations in one transaction, which is committed or rolled back.
  ///
  /// Transactions nest.
  func transact() throws {
    note("transaction")
    let isKept = !random.oneIn(3)
    let before = state
    let handle = handle
    depth += 1
    defer { depth -= 1 }
    do {
      try handle.vault.transaction {
        for _ in 0..<Int.random(in: 0...6, using: &random) {
          if depth < 4, random.oneIn(6) { try transact() } else { try stepInTransaction() }
        }
        if random.oneIn(10) { try compareAll() }
        if !isKept { throw ChangeOfMind() }
      }
      remark("commits")
    } catch is ChangeOfMind {
      state = before
      remark("rolls back")
    }
  }

  func reopen() throws {
    note("reopen")
    close()
    if random.oneIn(10) {
      let verification = try DatabaseFile(at: path, key: key).verify()
      guard verification.isSound else { throw ModelMismatch("verification finds \(verification)") }
    }
    try open()
    for key in ["Node"] where !state.type(key).search.isEmpty {
      try expect(handle.stores[key]!.isSearchSound(), true, "the full-text index of \(key)")
    }
    try expect(handle.books.isSearchSound(), true, "the full-text index of Book")
    try compareAll()
  }

  /// Migrates the file to another edition of the classes, or checks that a rejected migration
  /// changes nothing.
  func migrate() throws {
    var new = edition
    new.change(&random)
    note("migrate", "\(new)")
    let codes = Set(
      try refusal { try $0.migrate(to: new.classes) }.map { _ in VaultError.Code.upgradeRefused })
    close()
    let vault = try Vault(at: path, key: key)
    let succeeded = try attempt(codes) { _ = try ModelHandle(vault, new) }
    vault.close()
    if succeeded {
      edition = new
      try state.migrate(to: new.classes)
    }
    try open()
    try compareAll()
  }

  func dropRemoved() throws {
    let key = "Node"
    note("drop removed properties", key)
    let dropped = try handle.stores[key]!.dropRemovedProperties()
    try expect(Set(dropped), state.dropRemoved(key), "the dropped columns")
  }

  func rekey() throws {
    let isOpen = random.oneIn(2)
    note("rekey", isOpen ? "while it is open" : "of the closed file")
    let old = key
    keyNumber += 1
    if isOpen {
      try handle.vault.rekey(to: key)
      close()
    } else {
      close()
      try DatabaseFile(at: path, key: old).rekey(to: key)
    }
    try attempt([.wrongKey]) {
      let vault = try Vault(at: path, key: old)
      defer { vault.close() }
      try vault.open()
    }
    try open()
    try compareAll()
  }

  /// Makes a backup, changes the vault, and restores the backup.
  func restore() throws {
    note("backup and restore")
    let copy = folder.file("copy")
    try? FileManager.default.removeItem(atPath: copy)
    try handle.vault.backup(to: copy)
    let before = state
    for _ in 0..<3 { try stepInTransaction() }
    close()
    try DatabaseFile(at: copy, key: key).restore(to: path, replacing: true)
    state = before
    try open()
    try compareAll()
  }
}
