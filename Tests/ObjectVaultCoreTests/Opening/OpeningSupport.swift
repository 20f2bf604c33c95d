import Foundation
import ObjectVaultCore
import TestSupport

let passphrase = "open sesame"

/// Opens a vault and reads from it.
///
/// - Returns: the code of the error, or `nil` where it opened.
func refusal(
  _ path: String, _ key: VaultKey = .passphrase(passphrase),
  creation: VaultConfiguration.Creation = .never, isReadOnly: Bool = false
) throws -> VaultError.Code? {
  var configuration = VaultConfiguration()
  configuration.creation = creation
  configuration.isReadOnly = isReadOnly
  do {
    let vault = try Vault(at: path, key: key, configuration: configuration)
    try vault.open()
    for found in try vault.classes() { _ = try vault.store(named: found.name).count() }
    return nil
  } catch let error as VaultError {
    return error.code
  }
}

/// The names and bytes of everything in a folder.
func contents(of folder: TemporaryFolder) throws -> [String: Data] {
  var contents: [String: Data] = [:]
  for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
    contents[name] = try? Data(contentsOf: folder.url.appendingPathComponent(name))
  }
  return contents
}

func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

func write(_ bytes: Data, to path: String) throws {
  try bytes.write(to: URL(fileURLWithPath: path))
}

/// Makes a vault with so many objects and closes it.
func makeVault(
  _ path: String, key: VaultKey = .passphrase(passphrase), objects: Int = 100
) throws {
  let vault = try Vault(at: path, key: key)
  let store = try vault.store(of: MarkedObject.self)
  try store.insert(contentsOf: (0..<objects).map { MarkedObject("kept", number: $0) })
  vault.close()
}

/// A frozen file of `Fixtures/databases`, copied into a folder.
func fixture(_ name: String, in folder: TemporaryFolder) throws -> String {
  let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/databases").appendingPathComponent(name)
  let path = folder.file(name)
  try FileManager.default.copyItem(atPath: source.path, toPath: path)
  return path
}
