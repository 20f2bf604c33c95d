import ObjectVaultEngine
import TestSupport
import Testing

import ObjectVaultMaintenance

@Suite("The options for a file of another program")
struct ForeignOptionsTests {
  @Test("limit values by the size of the file, whatever it is", arguments: [4 << 60, Int.max])
  func greatSizes(size: Int) throws {
    let reading = ConnectionOptions.forForeignContent("/missing", size: size)
    let copying = ConnectionOptions.forCopy(ofSize: size)
    for limit in [reading.valueSizeLimit, copying.valueSizeLimit, copying.fileSizeLimit] {
      let limit = try #require(limit)
      #expect(limit > 1 << 50)
    }
  }

  @Test("limit a copy to the number of pages that every engine supports")
  func greatCopy() throws {
    let folder = try TemporaryFolder()
    let cipher = CipherSettings(format: try Engine.prove().newestCipherFormat)
    let connection = try Array("key".utf8).withUnsafeBytes { key in
      try Connection(
        path: folder.file("v"), mode: .create, key: key, cipher: cipher,
        options: .forCopy(ofSize: 1 << 40))
    }
    #expect(try connection.pragma("max_page_count") == "1073741823")
    try connection.close()
  }
}
