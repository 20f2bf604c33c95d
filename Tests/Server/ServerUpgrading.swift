import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultModel
import ObjectVaultSchema
import ObjectVaultSession
import ObjectVaultStores
import TestSupport
import Testing

import ObjectVaultServer

/// A suite whose tests open the same vault again, with changed classes.
protocol ServerUpgrading {
  /// The schema of one test.
  var schema: String { get }
}

extension ServerUpgrading {
  /// Calls `body` with a vault that has no connection and no store of an earlier call.
  func withVault<R>(
    _ name: String, _ body: (SharedVault) throws -> R
  ) throws -> R {
    let vault = try Server.vault(schema, connection: name)
    defer { vault.close() }
    return try body(vault)
  }

  func insert(_ values: [[String: StoredValue]], _ store: ObjectStore<DynamicObject>) throws {
    for one in values { try store.insert(DynamicObject(of: store.classDescription, one)) }
  }

  func values(_ name: String, _ store: ObjectStore<DynamicObject>) throws -> [StoredValue] {
    try store.all().map { try $0.value(of: name) }
  }
}
