import Foundation
import ObjectVaultCore
import ObjectVaultStores
import TestSupport
import Testing

@testable import ObjectVaultServer

/// Increments of numbers in many objects, whose errors are the same on a server and in a file.
@Suite("Increments on a PostgreSQL server and in a file", .enabled(if: Server.address != nil))
struct ServerIncrementTests {
  private static let counts = ClassDescription(
    "Count",
    properties: [
      PropertyDescription("name", String.self), PropertyDescription("real", Double?.self),
      PropertyDescription("small", UInt8?.self), PropertyDescription("large", Int?.self),
    ],
    objectID: ["name"])

  private func code(_ body: () throws -> Int) -> VaultError.Code? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? VaultError)?.code ?? .internalError
    }
  }

  /// Calls `body` with a store on a server and with one in a file.
  private func withStores(_ body: (ObjectStore<DynamicObject>) throws -> Void) throws {
    let shared = try Server.vault()
    defer { shared.close() }
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .ofTests)
    defer { vault.close() }
    for store in [try shared.store(of: Self.counts), try vault.store(of: Self.counts)] {
      for (name, real, small, large) in [
        ("none", StoredValue.null, StoredValue.null, StoredValue.null),
        ("great", .real(.greatestFiniteMagnitude), .integer(255), .integer(.max)),
        ("least", .real(-.greatestFiniteMagnitude), .integer(0), .integer(.min)),
        ("infinite", .real(.infinity), .integer(7), .integer(7)),
        ("one", .real(1), .integer(1), .integer(1)),
      ] {
        var count = try DynamicObject(of: Self.counts)
        try count.set("name", to: .text(name))
        try count.set("real", to: real)
        try count.set("small", to: small)
        try count.set("large", to: large)
        try store.insert(count)
      }
      try body(store)
    }
  }

  @Test("a Double beyond its range is an overflow, and depends on the matching objects alone")
  func reals() throws {
    try withStores { store in
      func code(_ condition: String, _ amount: Double) -> VaultError.Code? {
        self.code { try store.where(condition).update { $0.increment("real", by: amount) } }
      }
      #expect(code("name == 'great'", 1e308) == .overflow)
      #expect(code("name == 'least'", -1e308) == .overflow)
      #expect(code("real > 0", 1e308) == .overflow)
      #expect(code("name == 'one'", 1e308) == nil)
      #expect(code("name == 'infinite'", 1e308) == nil)
      #expect(code("name == 'great'", -1e308) == nil)
      #expect(code("name == 'none'", 1e308) == nil)
      #expect(code("name == 'missing'", 1e308) == nil)
      let great = try store.where("name == 'infinite'").first()?.value(of: "real")
      #expect(great == .real(.infinity))
      // The sum is that of an integer as the nearest double.
      #expect(try store.where("name == 'one'").update { $0.increment("real", by: Int.max) } == 1)
      let one = try store.where("name == 'one'").first()?.value(of: "real")
      #expect(one == .real(1e308 + 1 + 0x1p63))
    }
  }

  @Test("an integer increment that matches no object, or no value, is no overflow")
  func integers() throws {
    try withStores { store in
      func code(_ condition: String, _ property: String, _ amount: Int) -> VaultError.Code? {
        self.code { try store.where(condition).update { $0.increment(property, by: amount) } }
      }
      for amount in [Int.min, .min + 1, -256, 256, .max] {
        #expect(code("name == 'missing'", "small", amount) == nil, "\(amount)")
        #expect(code("name == 'none'", "small", amount) == nil, "\(amount)")
        #expect(code("name == 'one'", "small", amount) == .overflow, "\(amount)")
      }
      #expect(code("name == 'missing'", "large", .max) == nil)
      #expect(code("name == 'great'", "large", 1) == .overflow)
      #expect(code("name == 'least'", "large", -1) == .overflow)
      #expect(code("name == 'least'", "large", .max) == nil)
      #expect(code("name == 'one'", "small", 254) == nil)
      #expect(code("name == 'one'", "small", 1) == .overflow)
    }
  }
}
