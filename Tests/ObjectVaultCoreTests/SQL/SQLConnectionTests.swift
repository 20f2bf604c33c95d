import Foundation
import ObjectVaultCore
import Synchronization
import TestSupport
import Testing

@Suite("The connections of SQL statements")
struct SQLConnectionTests {
  @Test("A statement that writes needs no reader connection", .covers("X49"))
  func writing() throws {
    var configuration = VaultConfiguration()
    configuration.maximumReaders = 1
    configuration.busyTimeout = .seconds(0.2)
    let test = try TestVault(configuration)
    let vault = test.vault
    try vault.execute("CREATE TABLE t (a)")
    try vault.read {
      #expect(try vault.value("SELECT count(*) FROM t", as: Int.self) == 0)
      let writing = OnThread {
        try vault.execute("INSERT INTO t VALUES (1)")
        try vault.execute("-- a comment\nUPDATE t SET a = 2")
        try vault.execute("CREATE INDEX i ON t (a)")
      }
      try writing.result()
    }
    #expect(try vault.value("SELECT a FROM t", as: Int.self) == 2)
  }

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
