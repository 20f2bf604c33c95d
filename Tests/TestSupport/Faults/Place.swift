import Foundation
import ObjectVaultKeys

/// The folder of an operation, with all its files.
struct Place {
  let folder: String

  func path(_ name: String) -> String { folder + "/" + name }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  /// Returns whether the folder has a temporary file or a keyring.
  func hasLeftovers() throws -> Bool {
    try files().contains { $0.hasPrefix(".") || $0.hasSuffix(".new") || $0.contains(".keyring") }
  }

  /// Throws an error if the folder has other files than these.
  func expectFiles(_ names: [String]) throws {
    let found = try files()
    guard found == names.sorted() else {
      throw FaultViolation("after the next opening the folder holds \(found)")
    }
  }

  /// Throws an error if other users than the owner can read a file.
  func expectPrivateFiles() throws {
    for name in try files() {
      let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
      guard (attributes[.posixPermissions] as? Int) == 0o600 else {
        throw FaultViolation("'\(name)' may be read by others")
      }
    }
  }

  /// Throws an error if the files differ from those of another folder in any byte.
  ///
  /// An empty log and the index of a log are ignored: the next process that opens the file removes
  /// them.
  ///
  /// - Parameters:
  ///   - other: The other folder.
  ///   - mayLackRoom: Whether the spare copy of a keyring can be one change ahead. The spare copy
  ///     is read only if the keyring is damaged, and the next change makes both equal.
  /// - Throws: ``FaultViolation`` if the files differ.
  func expectSame(as other: Place, mayLackRoom: Bool = false) throws {
    let its = try other.files()
    let mine = try files().filter { name in
      let isEmptyLog = try name.hasSuffix("-wal") && bytes(name).isEmpty
      return its.contains(name) || !(isEmptyLog || name.hasSuffix("-shm"))
    }
    guard mine == its else { throw FaultViolation("after the failure the folder holds \(mine)") }
    // A keyring counts its changes, including those that were undone.
    for name in mine where name.hasSuffix(".keyring") {
      let (found, before) = try (keyring(name), other.keyring(name))
      guard found.slots == before.slots, found.epochs == before.epochs,
        try mayLackRoom || found == keyring("\(name)~")
      else { throw FaultViolation("'\(name)' is no longer what it was") }
    }
    for name in mine where try !name.contains(".keyring") && bytes(name) != other.bytes(name) {
      throw FaultViolation("'\(name)' is no longer byte for byte what it was")
    }
  }

  private func keyring(_ name: String) throws -> Keyring { try Keyring(json: Array(bytes(name))) }

  /// Throws an error if a file contains a text.
  func expectNowhere(_ text: String) throws {
    let holding = try FileScan.filesHolding(text, in: folder)
    guard holding.isEmpty else { throw FaultViolation("\(holding) hold content in clear") }
  }
}
