import Foundation
import ObjectVaultCore
import TestSupport
import Testing

@testable import ObjectVaultTool

@Suite("objectvault send and receive without a server") struct TransferCommandTests {
  @Test(
    "A password in the address is refused, because other users can read the command line",
    arguments: [
      "postgresql://app:secret@db.example/registry", "postgresql://app:se/cr@et@db.example/x",
      "postgresql://db.example/x?password=secret", "host=db.example PASSWORD = secret",
      "postgresql://db.example/x?pass%77ord=secret", "postgresql://app:secret?a=b@db.example/x",
      "postgresql://app:se/cr?et@db.example/x?a=b", "host=db.example sslpassword=secret",
    ])
  func password(address: String) throws {
    let tool = try TestTool.withVault()
    for command in ["send", "receive"] {
      let result = try tool.run(command, address)
      #expect(result.code == 64)
      #expect(result.errors.contains("~/.pgpass"))
      #expect(!result.errors.contains("secret"))
    }
  }

  @Test(
    "An address without a password is accepted",
    arguments: [
      "postgresql://app@db.example/registry", "postgresql://db.example:5433/registry",
      "host=/run/postgresql dbname=registry", "postgresql:///registry",
      "postgresql://app@db.example/passwords", "host=password.example dbname=registry",
      "postgresql://db.example:5432/registry?application_name=a@b&connect_timeout=3",
    ])
  func noPassword(address: String) {
    #expect(!ServerOptions.hasPassword(address))
  }

  @Test("A server that cannot be reached is an error, and the vault stays as it is")
  func unreachable() throws {
    let tool = try TestTool.withVault()
    let before = try Data(contentsOf: URL(fileURLWithPath: tool.vault))
    func send(_ address: String) throws -> ChildProcess {
      try SpawnedProgram.run(
        ChildProcess.path(of: "objectvault-server"),
        ["send", tool.vault, address] + tool.keyOptions)
    }
    let result = try send("host=\(tool.folder.path) user=app")
    #expect(result.status == 66)
    #expect(result.errors.contains("does not accept the connection"), "\(result.errors)")
    #expect(!result.errors.contains("\t") && !result.errors.contains("?."), "\(result.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.vault)) == before)
    #expect(try send("host").status == 64)
  }
}
