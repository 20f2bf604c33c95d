import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@Suite("objectvault encrypt and decrypt", .cheapSlots) struct EncryptDecryptTests {
  let folder: TemporaryFolder
  let plain: String
  let words = "words of the key"

  init() throws {
    folder = try TemporaryFolder()
    plain = folder.file("plain.db")
    _ = try CipherShell.run(
      plain,
      [
        "PRAGMA user_version = 7;", "CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT);",
        "INSERT INTO note(body) VALUES('kept words');",
      ])
  }

  private func run(_ arguments: String...) throws -> ChildProcess {
    let result = try TestTool.bare(arguments, environment: ["KEY": words])
    #expect(!result.output.contains(words))
    #expect(!result.errors.contains(words))
    return result
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test("encrypt --to makes an encrypted file that the shell opens, and leaves the plain one")
  func encryptElsewhere() throws {
    let before = try bytes(plain)
    let target = folder.file("new.db")
    let result = try run(
      "encrypt", plain, "--to", target, "--cipher-format", "portable", "--key-env", "KEY")
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      result.output
        == "Encrypted '\(plain)' into '\(target)' (cipher format 3, pages of 4096 bytes). "
        + "'\(plain)' is still in plaintext.\n")
    #expect(try bytes(plain) == before)
    let file = ForeignFile(path: target, settings: ["PRAGMA cipher_page_size = 4096;"])
    #expect(try file.isOpened(by: words))
    #expect(try file.run(words, "PRAGMA user_version;").contains("7"))
    #expect(try !bytes(target).holds(Data("kept words".utf8)))
    let again = try run("encrypt", plain, "--to", target, "--key-env", "KEY")
    #expect(again.code == 73)
    #expect(again.errors.contains("already exists"))
  }

  @Test("encrypt in place puts the encrypted file there, with the page size that is asked for")
  func encryptInPlace() throws {
    let result = try run(
      "encrypt", plain, "--page-size", "8192", "--key-env", "KEY", "--progress", "json")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.output.contains("pages of 8192 bytes"))
    #expect(result.errors.contains("\"phase\":\"copying\""))
    #expect(try !bytes(plain).holds(Data("kept words".utf8)))
    #expect(try names() == ["plain.db"])
    #expect(try run("classes", plain, "--key-env", "KEY").code == 0)
    let twice = try run("encrypt", plain, "--key-env", "KEY")
    #expect(twice.code == 64, "\(twice.errors)")
    #expect(twice.errors.contains("already encrypted"))
  }

  @Test("encrypt --keyring makes a keyring, and the passphrase is asked for twice")
  func encryptWithKeyring() throws {
    let terminal = try PseudoTerminal(
      "objectvault", ["encrypt", plain, "--keyring", "--slot", "me"], columns: 300)
    #expect(terminal.expect("Passphrase for '\(plain)': "))
    terminal.type(words + "\r")
    #expect(terminal.expect("Type it again: "))
    terminal.type(words + "\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    #expect(!terminal.transcript.contains(words))
    #expect(try VaultKeyring(ofVaultAt: plain).slots().map(\.name) == ["me"])
    #expect(try run("classes", plain, "--key-env", "KEY").code == 0)
  }

  @Test("Control-C in the middle keeps the file in clear, and leaves neither copy nor keyring")
  func stopped() throws {
    _ = try CipherShell.run(
      plain,
      [
        "CREATE TABLE filler(bytes);",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000) "
          + "INSERT INTO filler SELECT randomblob(1000) FROM n;",
      ])
    let before = try bytes(plain)
    #expect(before.count > 30_000_000)
    let terminal = try PseudoTerminal(
      "objectvault", ["encrypt", plain, "--keyring", "--key-env", "KEY", "--progress", "json"],
      columns: 300, environment: ["KEY": words])
    #expect(terminal.expect("\"copying\""))
    terminal.type("\u{03}")
    #expect(terminal.wait() == 130, "\(terminal.transcript)")
    #expect(terminal.transcript.contains("Stopped. '\(plain)' is unchanged, in plaintext."))
    #expect(try names() == ["plain.db"])
    #expect(try bytes(plain) == before)
  }

  @Test("decrypt asks twice, names the danger, and writes a file that only its owner reads")
  func decrypt() throws {
    let vault = folder.file("new.db")
    _ = try run("encrypt", plain, "--to", vault, "--key-env", "KEY")
    let target = folder.file("clear.db")
    let before = try bytes(vault)
    for answers in [["n"], ["y", "n"]] {
      let terminal = try PseudoTerminal(
        "objectvault", ["decrypt", vault, "--to", target, "--key-env", "KEY"], columns: 400,
        environment: ["KEY": words])
      #expect(terminal.expect("into '\(target)'? Anyone who can read that file"))
      terminal.type(answers[0] + "\r")
      if answers.count > 1 {
        #expect(terminal.expect("may leave its content on the disk. Are you sure? [y/N]"))
        terminal.type(answers[1] + "\r")
      }
      #expect(terminal.wait() == 64)
      #expect(!FileManager.default.fileExists(atPath: target))
    }
    let unasked = try run("decrypt", vault, "--to", target, "--key-env", "KEY")
    #expect(unasked.code == 64)
    #expect(unasked.errors.contains("Use --yes"))
    #expect(!FileManager.default.fileExists(atPath: target))

    let terminal = try PseudoTerminal(
      "objectvault", ["decrypt", vault, "--to", target], columns: 400)
    for _ in 0..<2 {
      #expect(terminal.expect("[y/N]"))
      terminal.type("y\r")
    }
    #expect(terminal.expect("Passphrase for '\(vault)': "))
    terminal.type(words + "\r")
    #expect(terminal.wait() == 0, "\(terminal.transcript)")
    #expect(terminal.transcript.contains("Remove it as soon as you no longer need it."))
    let attributes = try FileManager.default.attributesOfItem(atPath: target)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(
      try CipherShell.run(target, ["SELECT body FROM note;", "PRAGMA user_version;"])
        .contains("kept words"))
    #expect(try bytes(vault) == before)
    #expect(try run("decrypt", vault, "--to", target, "--key-env", "KEY", "--yes").code == 73)
  }

  @Test("wrong keys, files that are not what is asked for, and missing ones are told apart")
  func refusals() throws {
    let vault = folder.file("new.db")
    _ = try run("encrypt", plain, "--to", vault, "--key-env", "KEY")
    let target = folder.file("out.db")
    let wrong = try TestTool.bare(
      ["decrypt", vault, "--to", target, "--key-env", "KEY", "--yes"], environment: ["KEY": "no"])
    #expect(wrong.code == 77)
    let clear = try run("decrypt", plain, "--to", target, "--key-env", "KEY", "--yes")
    #expect(clear.code == 65, "\(clear.errors)")
    #expect(try run("decrypt", folder.file("none"), "--to", target, "--yes").code == 66)
    #expect(try run("encrypt", folder.file("none"), "--key-env", "KEY").code == 66)
    let empty = folder.file("empty")
    try Data().write(to: URL(fileURLWithPath: empty))
    #expect(try run("encrypt", empty, "--key-env", "KEY").code == 65)
    let nowhere = try run(
      "encrypt", plain, "--to", folder.file("no/x.db"), "--key-env", "KEY")
    #expect(nowhere.code == 73, "\(nowhere.errors)")
    let noKey = try TestTool.bare(
      ["encrypt", plain, "--key-env", "KEY"], environment: ["KEY": ""])
    #expect(noKey.code == 77)
    #expect(try run("encrypt", plain, "--page-size", "1000", "--key-env", "KEY").code == 64)
    #expect(try run("decrypt", vault, "--key-env", "KEY", "--yes").code == 64)
    #expect(try names() == ["empty", "new.db", "plain.db"])
  }
}
