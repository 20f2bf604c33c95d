/// Bech32 as BIP 173 describes it, with lists of values, to compare the library with.
enum Bech32Text {
  static func recipient(of bytes: [UInt8]) -> String { text("ovrecipient", bytes) }

  private static func text(_ prefix: String, _ bytes: [UInt8]) -> String {
    var bits = bytes.flatMap { byte in (0..<8).map { Int(byte >> (7 - $0) & 1) } }
    while bits.count % 5 != 0 { bits.append(0) }
    let values = stride(from: 0, to: bits.count, by: 5).map { start in
      bits[start..<(start + 5)].reduce(0) { $0 * 2 + $1 }
    }
    let expanded =
      prefix.utf8.map { Int($0 >> 5) } + [0] + prefix.utf8.map { Int($0 & 31) } + values
    let check = polymod(expanded + [0, 0, 0, 0, 0, 0]) ^ 1
    let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l")
    let checks = (0..<6).map { check >> (5 * (5 - $0)) & 31 }
    return prefix + "1" + String((values + checks).map { alphabet[$0] })
  }

  private static func polymod(_ values: [Int]) -> Int {
    let generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
    return values.reduce(1) { check, value in
      let top = check >> 25
      return (0..<5).reduce((check & 0x1ffffff) << 5 ^ value) {
        top >> $1 & 1 == 1 ? $0 ^ generators[$1] : $0
      }
    }
  }
}
