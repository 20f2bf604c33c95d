import ObjectVaultCore
import TestSupport
import Testing

@Suite("The guide to key providers") struct KeyProvidersGuideTests {
  /// The code of the guide, which needs a desktop; Scripts/providers runs the same with the tool.
  private func add(words: SlotKey) throws -> Vault {
    let provider = PluginKeyProvider("secret-service")
    let keyring = try VaultKeyring(ofVaultAt: "school.vault")
    try keyring.addSlot("desk", .provider(provider), unlockedBy: words)
    let vault = try Vault(at: "school.vault", key: .keyring(.provider(provider, slot: "desk")))
    return vault
  }

  @Test("Every line of its code compiles")
  func lines() throws {
    #expect(try GuideSnippets.missing("Guides/KeyProviders.md", in: #filePath) == [])
    #expect(try GuideSnippets.lines(of: "Guides/KeyProviders.md").count == 4)
  }
}
