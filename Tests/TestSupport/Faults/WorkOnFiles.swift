import Foundation
import ObjectVaultCore
import ObjectVaultEngine

/// Operations that rewrite a file with another key, in another format, or in plaintext.
let worksOnFiles: [any FaultedOperation] = [
  FaultedWork(
    name: "upgrade",
    making: { try ParcelFile(path: $0 + "/v").make(.closed, format: 3) },
    performing: {
      try DatabaseFile(at: $0 + "/v", key: ParcelFile.old).upgrade(pageSize: 8192)
    },
    looking: { place, _ in
      guard try ParcelFile(path: place.path("v")).isWhole(ParcelFile.old) else {
        throw FaultViolation("the key opens it no longer")
      }
      try place.expectFiles(["v"])
      let vault = try Vault(at: place.path("v"), key: ParcelFile.old)
      defer { vault.close() }
      let facts = try vault.cipherInfo()
      let format = try Engine.prove().newestCipherFormat
      switch (facts.format, facts.pageSize) {
      case (3, ParcelFile.pageSize): return .before
      case (format, 8192): return .after
      default: throw FaultViolation("it is encrypted as \(facts)")
      }
    }),
  encrypting("encrypt") { try PlainParcels(path: $0 + "/v").make() },
  encrypting("encrypt-log", isLogPlayed: true) { folder in
    let live = PlainParcels(path: folder + "/live")
    try live.make()
    let connection = try Connection.plain(path: live.path, mode: .readWrite)
    try connection.setPragma("journal_mode", to: "WAL", expecting: "wal")
    try connection.execute("UPDATE Parcel SET label = label || '!'")
    try connection.checkpoint(.truncate)
    try connection.execute("UPDATE Parcel SET label = substr(label, 1, length(label) - 1)")
    // As a crash leaves it: the labels are only in the log.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: live.path + suffix, toPath: folder + "/v" + suffix)
    }
    try connection.close()
    try FileManager.default.removeItem(atPath: live.path)
  },
  restoring("restore") { folder in
    try ParcelFile(path: folder + "/v").make(.closed)
    try DatabaseFile(at: folder + "/v", key: ParcelFile.old)
      .backup(to: folder + "/backup", key: ParcelFile.new)
  },
  restoring("restore-log") { folder in
    let file = ParcelFile(path: folder + "/live")
    try file.make(.closed)
    try DatabaseFile(at: file.path, key: ParcelFile.old)
      .backup(to: folder + "/backup", key: ParcelFile.new)
    let last = ParcelFile.objects.upperBound - 1
    let first = try Vault(at: file.path, key: ParcelFile.old)
    try first.store(of: Parcel.self).remove(id: last)
    first.close()
    // As a crash leaves it: the last object is only in the log.
    let vault = try Vault(at: file.path, key: ParcelFile.old)
    try vault.store(of: Parcel.self).insert(Parcel(last))
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: file.path + suffix, toPath: folder + "/v" + suffix)
    }
    vault.close()
    try Vault.remove(at: file.path)
  },
]

/// Creates an operation after which the file is encrypted in place, or is still unencrypted.
private func encrypting(
  _ name: String, isLogPlayed: Bool = false,
  _ making: @escaping @Sendable (_ folder: String) throws -> Void
) -> FaultedWork {
  FaultedWork(
    name: name, making: making,
    performing: { folder in
      try DatabaseFile(at: folder + "/v", key: nil)
        .encrypt(with: ParcelFile.new, pageSize: ParcelFile.pageSize)
    },
    confession: "could not be overwritten",
    isTidiedByRedoing: true, isLogPlayed: isLogPlayed,
    looking: { place, isThorough in
      if try PlainParcels(path: place.path("v")).isWhole() { return .before }
      guard try ParcelFile(path: place.path("v")).isWhole(ParcelFile.new) else {
        throw FaultViolation("it is neither in clear nor opened by the key")
      }
      try place.expectFiles(["v"])
      try place.expectNowhere("parcel 11")
      if isThorough {
        try ParcelFile(path: place.path("v")).checkByShell(digits: ParcelFile.newDigits)
      }
      return .after
    })
}

/// Creates an operation that restores a backup in place of a file, or leaves that file.
private func restoring(
  _ name: String, _ making: @escaping @Sendable (_ folder: String) throws -> Void
) -> FaultedWork {
  FaultedWork(
    name: name, making: making,
    performing: { folder in
      try DatabaseFile(at: folder + "/backup", key: ParcelFile.new)
        .restore(to: folder + "/v", replacing: true)
    },
    looking: { place, _ in
      let outcome = try theOneKey(of: ParcelFile(path: place.path("v")))
      guard try ParcelFile(path: place.path("backup")).isWhole(ParcelFile.new) else {
        throw FaultViolation("the backup is lost")
      }
      try place.expectFiles(["backup", "v"])
      return outcome
    })
}

/// Operations that create a file next to another one, which is kept.
let worksOnCopies: [any FaultedOperation] = [
  copying("backup", from: .encrypted) {
    try DatabaseFile(at: $0 + "/v", key: ParcelFile.old)
      .backup(to: $0 + "/copy", key: ParcelFile.new)
  },
  copying("backup-open", from: .encrypted) { folder in
    let vault = try Vault(at: folder + "/v", key: ParcelFile.old)
    defer { vault.close() }
    try vault.backup(to: folder + "/copy", key: ParcelFile.new)
  },
  copying("encrypt-copy", from: .clear) {
    try DatabaseFile(at: $0 + "/v", key: nil)
      .encrypt(with: ParcelFile.new, to: $0 + "/copy", pageSize: ParcelFile.pageSize)
  },
  copying("decrypt", from: .encrypted, isCopyClear: true) {
    try DatabaseFile(at: $0 + "/v", key: ParcelFile.old).decrypt(to: $0 + "/copy")
  },
]

private enum Original: Sendable { case encrypted, clear }

/// Creates an operation after which the copy is complete, or is missing and can be created.
private func copying(
  _ name: String, from original: Original, isCopyClear: Bool = false,
  _ perform: @escaping @Sendable (_ folder: String) throws -> Void
) -> FaultedWork {
  FaultedWork(
    name: name,
    making: { folder in
      switch original {
      case .encrypted: try ParcelFile(path: folder + "/v").make(.closed)
      case .clear: try PlainParcels(path: folder + "/v").make()
      }
    },
    performing: perform,
    isTidiedByRedoing: true,
    looking: { place, _ in
      let isOriginalWhole =
        switch original {
        case .encrypted: try ParcelFile(path: place.path("v")).isWhole(ParcelFile.old)
        case .clear: try PlainParcels(path: place.path("v")).isWhole()
        }
      guard isOriginalWhole else { throw FaultViolation("the original is lost") }
      guard place.has("copy") else { return .before }
      let isCopyWhole =
        isCopyClear
        ? try PlainParcels(path: place.path("copy")).isWhole()
        : try ParcelFile(path: place.path("copy")).isWhole(ParcelFile.new)
      guard isCopyWhole else { throw FaultViolation("the copy is not whole") }
      try place.expectFiles(["copy", "v"])
      return .after
    })
}

/// Returns which of two keys opens a file.
///
/// Exactly one must open it.
func theOneKey(
  of file: ParcelFile, before: VaultKey = ParcelFile.old, after: VaultKey = ParcelFile.new
) throws -> FaultOutcome {
  let opened = try (before: file.isWhole(before), after: file.isWhole(after))
  guard opened.before != opened.after else {
    throw FaultViolation(opened.before ? "both keys open the file" : "no key opens the file")
  }
  return opened.before ? .before : .after
}

/// The same parcels in plaintext.
struct PlainParcels {
  let path: String

  func make() throws {
    let encrypted = ParcelFile(path: path + ".encrypted")
    try encrypted.make(.closed)
    try DatabaseFile(at: encrypted.path, key: ParcelFile.old).decrypt(to: path)
    try Vault.remove(at: encrypted.path)
  }

  /// Returns whether the file is in plaintext.
  ///
  /// - Throws: ``FaultViolation`` if it is, but an object is missing or has changed.
  func isWhole() throws -> Bool {
    let start = try Place(folder: "").bytes(path).prefix(15)
    guard start.elementsEqual("SQLite format 3".utf8) else { return false }
    let connection = try Connection.plain(path: path, mode: .readWrite)
    defer { try? connection.close() }
    let rows = try connection.prepare("SELECT number, label, content FROM Parcel ORDER BY number")
    var found: [Int] = []
    while try rows.step() {
      guard let parcel = ParcelFile.parcels.dropFirst(found.count).first,
        rows.row.integer(at: 0) == parcel.number, rows.row.text(at: 1) == parcel.label,
        rows.row.withBytes(at: 2, { Data($0) == parcel.content })
      else {
        throw FaultViolation("an object in clear is not what it was")
      }
      found.append(parcel.number)
    }
    guard found == Array(ParcelFile.objects) else {
      throw FaultViolation("\(found.count) objects are left in clear")
    }
    return true
  }
}
