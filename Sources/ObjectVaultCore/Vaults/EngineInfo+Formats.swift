import ObjectVaultEngine
import ObjectVaultKeys

extension EngineInfo {
  /// The newest format that this engine reads and writes.
  var newestFormat: CipherFormat { newestCipherFormat >= 4 ? .format4 : .format3 }

  /// Every format, the likeliest first: that of a file which nobody described is found by trying.
  ///
  /// One that this engine cannot read is the last, so that a file in it is told from a wrong key.
  var formatsToTry: [CipherFormat] {
    newestFormat == .format4
      ? [.format4, .format3, .format2, .format1] : [.format3, .format2, .format1, .format4]
  }
}

extension VaultConfiguration.CipherFormat {
  /// The format as an engine writes it.
  func format(on engine: EngineInfo) -> CipherFormat {
    self == .portable ? .format3 : engine.newestFormat
  }
}
