import Foundation
import ObjectVaultKeys
import TestSupport

/// The files of `Fixtures/databases`, made once by other programs.
enum FrozenDatabase {
  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/databases")
    return try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
  }

  static func bytes(_ format: CipherFormat) throws -> (bytes: [UInt8], pageSize: Int) {
    switch format {
    case .format1: (try bytes("format1-512.db"), 512)
    case .format2: (try bytes("format2-1024.db"), 1024)
    case .format3: (try bytes("format3-1024.db"), 1024)
    case .format4: (try bytes("format4-1024.db"), 1024)
    }
  }
}

extension FormatRecogniser {
  /// Accepts what is accepted by default, or format 1 alone.
  init(naming format: CipherFormat) {
    self.init(formats: format == .format1 ? [.format1] : [.format4, .format3, .format2])
  }

  /// Recognises bytes instead of a file.
  mutating func recognise(
    _ bytes: [UInt8], key: VaultKey = .passphrase(CipherShell.passphrase), hasJournal: Bool = false
  ) throws -> RecognisedFile {
    try recognise(
      file: "school.vault", size: Int64(bytes.count), key: key.resolve(), hasJournal: hasJournal
    ) { offset, count in
      Array(bytes.dropFirst(Int(offset)).prefix(count))
    }
  }
}

extension Array<UInt8> {
  func flipping(_ offset: Int) -> [UInt8] {
    var bytes = self
    bytes[offset] ^= 0x40
    return bytes
  }
}
