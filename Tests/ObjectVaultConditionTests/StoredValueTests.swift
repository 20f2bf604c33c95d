import ObjectVaultCondition
import Testing

@Suite("Stored values") struct StoredValueTests {
  @Test("are equal as the file keeps them: texts by their bytes, each only to its own kind")
  func equality() {
    #expect(StoredValue.text("\u{E9}") != .text("e\u{301}"))
    #expect(StoredValue.text("\u{E9}") == .text("\u{E9}"))
    #expect(StoredValue.integer(1) != .real(1))
    #expect(StoredValue.text("1") != .integer(1))
    #expect(StoredValue.blob([1]) == .blob([1]))
    #expect(StoredValue.blob([]) != .text(""))
    #expect(StoredValue.null == .null)
    #expect(Set([StoredValue.text("\u{E9}"), .text("e\u{301}"), .text("\u{E9}")]).count == 2)
  }
}
