import Foundation
import Logging
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultEngine
import ObjectVaultSession
import Testing
import TestSupport

@testable import ObjectVaultStores

/// Neither keys nor stored values nor arguments stand in an error, a log line or the text of a
/// statement.
@Suite struct MessageSecrecyTests {
  static let marker = "Xyzzy-MARKER-4711"
  static let secret = "Plugh-SECRET-0815"

  /// Everything that an error shows, those it was made from included.
  private func shown(_ error: any Error) -> String {
    var text = "\(error) " + String(reflecting: error) + " "
    dump(error, to: &text)
    return text
  }

  private func expectSilent(
    _ error: (any Error)?, _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let error else {
      Issue.record("no error was thrown", sourceLocation: sourceLocation)
      return
    }
    let text = shown(error)
    #expect(!text.contains(Self.marker), sourceLocation: sourceLocation)
    #expect(!text.contains("Xyzzy"), sourceLocation: sourceLocation)
    #expect(!text.contains(Self.secret), sourceLocation: sourceLocation)
    #expect(error is VaultError, "\(type(of: error)): \(error)", sourceLocation: sourceLocation)
  }

  private func error(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("Errors about objects name the class and the property, never the value")
  func objectErrors() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("v"), key: .passphrase(Self.secret))
    let store = try vault.store(of: MarkedObject.self)
    let object = MarkedObject(Self.marker, number: 0)
    try store.insert(object)
    expectSilent(error { try store.insert(object) })
    expectSilent(error { try store.insert(contentsOf: [object, object]) })
    expectSilent(error { try store.update(MarkedObject(Self.marker, number: 9)) })
    expectSilent(error { try store.remove(id: "\(Self.marker) 9") })
    expectSilent(error { try store.remove(ids: ["\(Self.marker) 9"]) })
    expectSilent(error { try store.changeID(of: "\(Self.marker) 9", to: "\(Self.marker) 8") })
    try store.insert(MarkedObject(Self.marker, number: 1))
    expectSilent(
      error { try store.changeID(of: "\(Self.marker) id 0", to: "\(Self.marker) id 1") })

    let everything = try vault.store(of: Everything.self)
    var sample = try Everything.sample
    sample.text = Self.marker
    try everything.insert(sample)
    expectSilent(error { try everything.insert(sample) })
    sample.double = .nan
    sample.text = Self.marker + "2"
    expectSilent(error { try everything.insert(sample) })
    sample.double = 0
    sample.large = .max
    expectSilent(error { try everything.insert(sample) })
    sample.large = 0
    sample.url = try #require(URL(string: Self.marker, relativeTo: URL(string: "http://a/")))
    expectSilent(error { try everything.insert(sample) })
  }

  @Test(
    "Errors about rows that other programs changed do not quote them",
    arguments: [
      "text = x'58797A7A79'", "data = 'Xyzzy-MARKER-4711'", "small = 'Xyzzy-MARKER-4711'",
      "date = 'Xyzzy-MARKER-4711'", "uuid = 'Xyzzy-MARKER-4711'", "url = 'Xyzzy-MARKER-4711 ://%'",
      "decimal = 'Xyzzy-MARKER-4711'", "list = 'Xyzzy-MARKER-4711'",
      "list = '[\"Xyzzy-MARKER-4711'",
      "list = '{\"Xyzzy-MARKER-4711\":1}'", "flag = 'Xyzzy-MARKER-4711'",
      "single = 'Xyzzy-MARKER-4711'", "large = 'Xyzzy-MARKER-4711'",
    ])
  func rowErrors(change: String) throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("v"), key: .ofTests)
    let store = try vault.store(of: Everything.self)
    try store.insert(try Everything.sample)
    try vault.file().join { try $0.execute("UPDATE Everything SET \(change)") }
    // Some of these can be read: text out of bytes, say. None may show a value when it cannot.
    if let error = error({ _ = try store.all() }) { expectSilent(error) }
    if let error = error({ _ = try store.sorted(by: .ascending("decimal")).all() }) {
      expectSilent(error)
    }
  }

  @Test("Errors about dynamic objects do not quote the values they refuse")
  func dynamicErrors() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("v"), key: .ofTests)
    _ = try vault.store(of: Everything.self)
    let store = try vault.store(named: "Everything")
    var object = try DynamicObject(of: store.classDescription)
    for property in [
      "flag", "small", "large", "single", "double", "data", "date", "uuid", "decimal", "list",
    ] {
      expectSilent(error { try object.set(property, to: .text(Self.marker)) })
    }
    expectSilent(error { try object.set("list", to: .text("[\"\(Self.marker)\" x]")) })
    expectSilent(
      error { try object.set("list", to: .text("{\"\(Self.marker)\":1,\"\(Self.marker)\":2}")) })
    expectSilent(error { try object.set("text", to: .blob(Array(Self.marker.utf8))) })
    expectSilent(error { try store.insert(object) })
  }

  @Test("Errors about conditions quote the user's own text, never an argument")
  func conditionErrors() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("v"), key: .ofTests)
    let store = try vault.store(of: Everything.self)
    try store.insert(try Everything.sample)
    let marker = Self.marker
    for property in ["flag", "small", "double", "data", "date", "uuid", "decimal"] {
      expectSilent(error { _ = try store.where("\(property) == %@", marker).all() })
      expectSilent(error { _ = try store.where("\(property) IN %@", [marker]).all() })
      expectSilent(
        error { _ = try store.where("\(property) BETWEEN {%@, %@}", marker, marker).all() })
    }
    expectSilent(error { _ = try store.where("text MATCHES %@", "(\(marker)").all() })
    expectSilent(error { _ = try store.where("text LIKE %@", Data(marker.utf8)).all() })
    expectSilent(error { _ = try store.where("text LIKE %@", marker + "\\").all() } ?? silent)
    expectSilent(error { _ = try store.where("small > %d", marker).all() })
    expectSilent(error { _ = try store.where("nope == %@", marker).all() })
    expectSilent(error { _ = try store.where("text == %@", marker, marker).all() })
    expectSilent(error { _ = try store.where("text == %@ &&", marker).all() })
    expectSilent(error { _ = try store.where("text == %@ && small == %@", marker).all() })
    expectSilent(error { _ = try store.where("text == %@", [marker: marker]).all() })
    // A literal is part of the condition that the caller wrote: the place of the error shows it.
    let literal = error { _ = try store.where("small == 'Xyzzy-MARKER-4711'").all() }
    let vaultError = try #require(literal as? VaultError)
    #expect(vaultError.location?.excerpt.contains(marker) == true)
  }

  /// What an argument that is no mistake counts as.
  private var silent: VaultError { VaultError(.invalidCondition, "") }

  @Test("Errors about keys show no key")
  func keyErrors() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("v")
    try makeVault(path, objects: 1)
    let secret = Self.secret
    try write(Data(secret.utf8), to: folder.file("key"))
    chmod(folder.file("key"), 0o644)
    setenv("OBJECTVAULT_SECRECY_TEST", secret, 1)
    defer { unsetenv("OBJECTVAULT_SECRECY_TEST") }
    let keys: [VaultKey] = [
      .passphrase(secret), .passphrase(bytes: Array(secret.utf8)), .raw(Array(secret.utf8)),
      .raw(hex: secret), .raw(hex: secret + String(repeating: "0", count: 64 - secret.utf8.count)),
      .source(.file(folder.file("key"))), .source(.environment("OBJECTVAULT_SECRECY_TEST")),
      .source(.environment("OBJECTVAULT_SECRECY_TEST", holding: .raw)),
      .source(.closure { Secret(utf8: secret) }),
      .source(.closure(holding: .raw) { Secret(utf8: secret) }),
    ]
    for key in keys {
      expectSilent(error { try Vault(at: path, key: key).open() })
      var text = "\(key) " + String(reflecting: key)
      dump(key, to: &text)
      #expect(!text.contains(secret))
    }
  }

  @Test("No log line holds a key, a value or an argument")
  func logs() throws {
    let folder = try TemporaryFolder()
    let captured = CapturedLog()
    var configuration = VaultConfiguration()
    var logger = Logger(label: "secrecy") { _ in captured.handler }
    logger.logLevel = .trace
    configuration.logger = logger
    let path = folder.file("v")
    do {
      let vault = try Vault(
        at: path, key: .passphrase(Self.secret), configuration: configuration)
      let store = try vault.store(of: MarkedObject.self)
      try store.insert(contentsOf: (0..<10).map { MarkedObject(Self.marker, number: $0) })
      _ = try? store.insert(MarkedObject(Self.marker, number: 1))
      _ = try store.where("word CONTAINS %@", Self.marker).sorted(by: .ascending("text")).all()
      try? store.where("word > %d", Self.marker).validate()
      try store.where("word ENDSWITH '3'").remove()
      let other = try Vault(
        at: path, key: .passphrase(Self.secret + "x"), configuration: configuration)
      _ = try? other.open()
      try vault.removeStore(of: MarkedObject.self)
      vault.close()
      try Vault.remove(at: path)
    }
    let lines = captured.lines
    #expect(lines.contains { $0.contains("opened") }, "\(lines)")
    #expect(lines.contains { $0.contains("store removed") })
    #expect(lines.contains { $0.contains("closed") })
    #expect(!lines.contains { $0.contains("Xyzzy") || $0.contains("Plugh") }, "\(lines)")
  }

  @Test("The text of the statements that run holds places for values, never the values")
  func statements() throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("v"), key: .passphrase(Self.secret))
    let store = try vault.store(of: MarkedObject.self)
    let traced = Lines()
    // Everything inside a transaction goes through the one connection that is listened to.
    try vault.transaction {
      try vault.file().join { connection in
        connection.engine.trace = { traced.add($0) }
      }
      let objects = (0..<20).map { MarkedObject(Self.marker, number: $0) }
      try store.insert(contentsOf: objects)
      try store.save(contentsOf: objects)
      try store.update(objects[1], only: "word", "text")
      _ = try store.find(ids: objects.map(\.id))
      for condition in [
        "word == %@", "word != %@", "word > %@", "word LIKE %@", "word CONTAINS %@",
        "word BEGINSWITH %@", "word ENDSWITH %@", "word CONTAINS[cd] %@", "word ==[c] %@",
        "word MATCHES %@",
      ] {
        _ = try store.where(condition, Self.marker).all()
        _ = try store.where(condition, Self.marker).count()
      }
      _ = try store.where("word IN %@", (0..<2000).map { "\(Self.marker) \($0)" }).all()
      _ = try store.where("word IN {'Xyzzy-MARKER-4711', 'x'} || text == 'Xyzzy-MARKER-4711'").all()
      _ = try store.where("data == %@", Data(Self.marker.utf8)).exists()
      try store.remove(contentsOf: objects.prefix(3))
      try store.where("word CONTAINS %@", Self.marker).remove()
      try vault.file().join { $0.engine.trace = nil }
    }
    let texts = traced.all
    #expect(texts.count > 50, "\(texts.count)")
    #expect(texts.contains { $0.contains("INSERT") } && texts.contains { $0.contains("SELECT") })
    #expect(!texts.contains { $0.contains("Xyzzy") || $0.contains("Plugh") })
  }
}

private final class Lines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func add(_ line: String) { lock.withLock { lines.append(line) } }
  var all: [String] { lock.withLock { lines } }
}

/// Keeps every line that is logged.
private final class CapturedLog: Sendable {
  private let captured = Lines()

  var lines: [String] { captured.all }
  var handler: any LogHandler { Handler(log: captured) }

  private struct Handler: LogHandler {
    let log: Lines
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.add("\(event.level) \(event.message) \(event.metadata.map { "\($0)" } ?? "")")
    }
  }
}
