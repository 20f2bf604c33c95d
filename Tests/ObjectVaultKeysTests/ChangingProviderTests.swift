import ObjectVaultKeys
import Synchronization
import Testing

@Suite("A slot of a key provider that does not always return the same secret")
struct ChangingProviderTests {
  /// A provider that answers one request with another secret.
  private final class ChangingProvider: KeyProvider {
    let name = "changing"
    private let requests = Mutex((count: 0, wrong: 0))

    /// The number of requests since the last call of ``change(at:)``.
    var count: Int { requests.withLock { $0.count } }

    /// Lets one of the next requests return another secret; 0 lets none.
    func change(at number: Int) { requests.withLock { $0 = (count: 0, wrong: number) } }

    func wrap(_ secret: borrowing Secret, label: String) throws(KeyError) -> [UInt8] {
      secret.withUnsafeBytes { bytes in bytes.map { $0 ^ 0xA5 } }
    }

    func unwrap(_ wrapped: [UInt8], label: String) throws(KeyError) -> Secret {
      let isWrong = requests.withLock { requests in
        requests.count += 1
        return requests.count == requests.wrong
      }
      let mask: UInt8 = isWrong ? 0x5A : 0xA5
      return Secret(copying: wrapped.map { $0 ^ mask })
    }

    func describe(_ wrapped: [UInt8]) throws(KeyError) -> String { "a secret" }
  }

  private let provider = ChangingProvider()

  private func keyring() throws -> OpenKeyring {
    provider.change(at: 0)
    return try OpenKeyring.make(
      for: Array(0..<16), opening: .provider(provider), named: "token")
  }

  /// Checks that the provider opens a slot.
  private func expectOpens(_ keyring: OpenKeyring, _ slot: String) throws {
    provider.change(at: 0)
    let opened = try keyring.keyring.opened(with: .provider(provider), slot: slot)
    #expect(opened.slotID == keyring.keyring.slot(named: slot)?.id)
  }

  @Test("is renamed only with the secret that opens it", arguments: 1...4)
  func renamed(wrong: Int) throws {
    var keyring = try keyring()
    provider.change(at: wrong)
    let error = keyCode {
      try keyring.renameSlot("token", to: "key", opening: .provider(provider))
    }
    let isWrong = provider.count >= wrong
    #expect(isWrong || wrong > 1)
    #expect(error == (isWrong ? .wrongKey : nil))
    try expectOpens(keyring, isWrong ? "token" : "key")
  }

  @Test("gets a new master key only with the secret that opens it", arguments: 1...4)
  func newMaster(wrong: Int) throws {
    let keyring = try keyring()
    var renewed: OpenKeyring?
    provider.change(at: wrong)
    let error = keyCode {
      renewed = try keyring.withNewMaster(keeping: [("token", .provider(provider))])
    }
    let isWrong = provider.count >= wrong
    #expect(isWrong || wrong > 1)
    #expect(error == (isWrong ? .wrongKey : nil))
    try expectOpens(renewed ?? keyring, "token")
  }
}
