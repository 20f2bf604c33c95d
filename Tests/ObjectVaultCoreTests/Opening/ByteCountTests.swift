import TestSupport
import Testing

import ObjectVaultCore

@Suite("Numbers of bytes") struct ByteCountTests {
  @Test("count KiB and MiB, and stay in the range of an Int")
  func units() {
    #expect(ByteCount.bytes(3).bytes == 3)
    #expect(ByteCount.kibibytes(3).bytes == 3072)
    #expect(ByteCount.mebibytes(2).bytes == 2_097_152)
    #expect(ByteCount.mebibytes(.max).bytes == .max && ByteCount.kibibytes(.min).bytes == .min)
    #expect(ByteCount.mebibytes(1) > .kibibytes(1023))
  }

  @Test("are checked in a configuration", arguments: [-1, 0, 65_537, .max, .min])
  func configuration(size: Int) {
    for path in [
      \VaultConfiguration.writerCache, \VaultConfiguration.readerCache,
      \VaultConfiguration.writeAheadLogLimit,
    ] {
      var configuration = VaultConfiguration()
      configuration[keyPath: path] = .mebibytes(size)
      #expect(code { try configuration.validate() } == .invalidArgument)
    }
  }
}
