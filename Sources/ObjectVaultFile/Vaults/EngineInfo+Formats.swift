package import ObjectVaultEngine
package import ObjectVaultKeys

extension EngineInfo {
  /// The newest format that this engine reads and writes.
  package var newestFormat: CipherFormat { newestCipherFormat >= 4 ? .format4 : .format3 }

  /// Returns the formats from a minimum on, most likely first, to find the format of a file by
  /// trying.
  ///
  /// A format that this engine cannot read comes last, so that a file in it is not mistaken for a
  /// wrong key.
  package func formatsToTry(from minimum: CipherFormat) -> [CipherFormat] {
    let formats: [CipherFormat] =
      newestFormat == .format4
      ? [.format4, .format3, .format2, .format1] : [.format3, .format2, .format1, .format4]
    return formats.filter { $0 >= minimum }
  }
}

extension VaultConfiguration.CipherFormat {
  /// Returns the format that an engine writes for this choice.
  package func format(on engine: EngineInfo) -> CipherFormat {
    self == .portable ? .format3 : engine.newestFormat
  }
}
