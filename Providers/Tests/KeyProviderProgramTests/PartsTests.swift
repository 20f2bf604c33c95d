import Foundation
import Testing

@testable import KeyProviderProgram

@Suite("Parts of a program")
struct PartsTests {
  private func text(_ bytes: borrowing ProtectedBytes) -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Base64 of every length is that of Foundation, and is read again")
  func base64() throws {
    for count in 0...130 {
      let bytes = (0..<count).map { UInt8(($0 * 97 + count * 7) & 255) }
      let text = ProtectedBytes(copying: bytes).base64()
      #expect(self.text(text) == Data(bytes).base64EncodedString())
      #expect(text.decodedBase64()?.withUnsafeBytes { Array($0) } == bytes)
    }
  }

  @Test(
    "Base64 that is not canonical is rejected",
    arguments: [
      "A", "AA", "AAA", "AA=", "A===", "====", "AB==", "AAB=", "AA=A", "A*==", "AA==AA==",
    ])
  func invalidBase64(text: String) {
    #expect(ProtectedBytes(copying: text.utf8).decodedBase64()?.count == nil)
  }

  @Test("Wrapped fields are read again, and every other form is damaged")
  func fields() throws {
    let fields: [[UInt8]] = [[], [1, 2], Array(repeating: 7, count: 300)]
    let bytes = WrappedFields.bytes(fields, header: "TEST")
    let read = try WrappedFields(bytes, header: "TEST", count: 3)
    #expect((0..<3).map { read[$0] } == fields)
    for count in 0..<bytes.count {
      #expect(throws: ProviderError.damaged) {
        try WrappedFields(Array(bytes.prefix(count)), header: "TEST", count: 3)
      }
    }
    for (other, header, count) in [
      (bytes + [0], "TEST", 3), (bytes, "OTHE", 3), (bytes, "TEST", 2),
    ] {
      #expect(throws: ProviderError.damaged) {
        try WrappedFields(other, header: header, count: count)
      }
    }
    #expect(throws: ProviderError.damaged) { try read.text(1) }
  }

  @Test("Settings are parts with supported names, each once")
  func settings() throws {
    func read(_ settings: String) throws -> [String: String] {
      try ProviderRequest(
        label: "", settings: settings, isInteractive: false, channel: ProviderChannel()
      ).settings(named: ["pcrs", "store"])
    }
    #expect(try read("") == [:])
    #expect(try read("pcrs=0,7  store=a=b") == ["pcrs": "0,7", "store": "a=b"])
    for invalid in ["pcrs", "pcrs=", "=7", "other=1", "pcrs=1 pcrs=2"] {
      #expect(throws: ProviderError.self) { try read(invalid) }
    }
  }
}
