import Foundation
import ObjectVaultCore
import Synchronization
import TestSupport
import Testing

@Suite("The connections of SQL statements")
struct SQLConnectionTests {
  @Test("Objects with shared contents are read on one connection", .covers("X16", "X49"))
  func objects() throws {
    let opened = Mutex(0)
    var configuration = VaultConfiguration()
    configuration.hooks.didOpen = { connection in
      if connection.role == .reader { opened.withLock { $0 += 1 } }
    }
    let test = try TestVault(configuration)
    let vault = test.vault
    let photos = try vault.store(of: Photo.self)
    try photos.insert(contentsOf: [Photo("a", .picture(1)), Photo("b", .picture(2))])
    let found = try photos.objects("SELECT * FROM \(Photo.self) ORDER BY name")
    #expect(found.map(\.picture) == [.picture(1), .picture(2)])
    #expect(opened.withLock { $0 } == 1)
  }
}
