#if os(Linux)
  import Foundation
  import ObjectVaultCore
  import TestSupport
  import Testing

  @Suite("In a forked child")
  struct ForkTests {
    @Test("a key made before the fork makes no vault, and one made in the child does")
    func keys() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess.run("fork-keys", folder.url.path)
      #expect(
        child.output == """
          passphrase: invalidated
          raw: invalidated
          keyring: invalidated
          keyring-raw: invalidated
          own: done
          parent: done

          """, "\(child.errors)")
      #expect(child.status == 0)
    }

    @Test("the bytes of a key made before the fork are neither read nor changed")
    func secret() throws {
      let child = try ChildProcess.run("fork-secret")
      #expect(child.status == 0)
      #expect(child.output == "")
    }

    @Test("every use of a vault that was open throws, and the parent goes on with it")
    func openVault() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess.run("fork-vault", folder.url.path)
      #expect(
        child.output == """
          count: invalidated
          all: invalidated
          insert: invalidated
          transaction: invalidated
          read: invalidated
          store: invalidated
          open: invalidated
          rekey: invalidated
          backup: invalidated
          remove: invalidated
          again: invalidated
          closed
          parent has 11
          0

          """, "\(child.errors)")
      // What the child left of the file is what the parent wrote.
      let vault = try Vault(at: folder.file("v"), key: .ofTests)
      #expect(try vault.store(of: MarkedObject.self).count() == 11)
      #expect(try vault.verify().isSound)
    }

    @Test("A temporary vault that was open is released, and its folder stays locked by the parent")
    func temporaryVault() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess.run("fork-temporary", folder.url.path)
      #expect(child.output == "0 locked\n", "\(child.errors)")
    }

    @Test("a transaction is neither committed nor rolled back, and a read scope reads nothing")
    func transaction() throws {
      let folder = try TemporaryFolder()
      let child = try ChildProcess.run("fork-transaction", folder.url.path)
      #expect(
        child.output == """
          read in a scope: invalidated
          insert in a transaction: invalidated
          commit: invalidated
          parent has ["parent id 1", "parent id 3"]
          [0, 0]

          """, "\(child.errors)")
    }
  }
#endif
