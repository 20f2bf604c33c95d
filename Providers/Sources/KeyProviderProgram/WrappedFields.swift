/// Wrapped bytes as a header of 4 bytes and fields, each with its length in 2 bytes.
public struct WrappedFields {
  private let fields: [[UInt8]]

  /// Reads wrapped bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes, possibly damaged.
  ///   - header: The header, four ASCII characters.
  ///   - count: The number of fields.
  /// - Throws: `failed` if the bytes have another form.
  public init(_ bytes: [UInt8], header: String, count: Int) throws(ProviderError) {
    guard bytes.starts(with: header.utf8) else { throw .damaged }
    var rest = bytes.dropFirst(header.utf8.count)
    var fields: [[UInt8]] = []
    for _ in 0..<count {
      guard rest.count >= 2 else { throw .damaged }
      let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
      guard rest.count >= length else { throw .damaged }
      fields.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    guard rest.isEmpty else { throw .damaged }
    self.fields = fields
  }

  /// Returns wrapped bytes.
  ///
  /// - Parameters:
  ///   - fields: The fields, each of at most 65,535 bytes.
  ///   - header: The header, four ASCII characters.
  /// - Returns: The bytes.
  public static func bytes(_ fields: [[UInt8]], header: String) -> [UInt8] {
    Array(header.utf8)
      + fields.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 255)] + $0 }
  }

  /// Returns the bytes of a field.
  ///
  /// - Parameter index: The number of the field, from 0.
  public subscript(_ index: Int) -> [UInt8] { fields[index] }

  /// Returns a field as text.
  ///
  /// - Parameter index: The number of the field, from 0.
  /// - Returns: The text.
  /// - Throws: `failed` if the field is not UTF-8 or contains control characters.
  public func text(_ index: Int) throws(ProviderError) -> String {
    let text = String(decoding: fields[index], as: UTF8.self)
    guard Array(text.utf8) == fields[index],
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { throw .damaged }
    return text
  }
}
