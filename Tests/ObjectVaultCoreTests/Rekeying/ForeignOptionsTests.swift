import ObjectVaultEngine
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
}
