import Foundation
package import ObjectVaultCondition
import ObjectVaultDriver

extension PropertyDescription {
  /// Returns a stored value converted to the type of this property, or `nil` if the conversion
  /// would lose information or the property has no such value.
  ///
  /// A number becomes another type of number if the two are equal. A text and a number become each
  /// other if each can be restored from the other. A text becomes any type that it is the text form
  /// of. A number does not become a date, because its unit is unknown. Nothing becomes a type with
  /// a converter, because only the converter knows its valid values.
  package func converted(
    _ value: StoredValue, from oldType: PropertyType?, in description: ClassDescription,
    at position: Int
  ) -> StoredValue? {
    if converter != nil, let oldType, oldType.family != type.family, value != .null { return nil }
    if type == .date, let oldType, oldType != .date, value != .null { return nil }
    guard let candidate = Self.candidate(value, for: type) else { return nil }
    do throws(VaultError) {
      return try checked(candidate, in: description, at: position)
    } catch {
      return nil
    }
  }

  private static func candidate(_ value: StoredValue, for type: PropertyType) -> StoredValue? {
    switch (value, type.family) {
    case (.integer(let number), .text): return .text(String(number))
    case (.real(let number), .text): return .text("\(number)")
    case (.real(let number), .integer), (.real(let number), .boolean):
      return Int64(exactly: number).map { .integer($0) }
    case (.real(let number), .decimal): return .text("\(number)")
    case (.text(let text), .integer):
      // Only the canonical text of a number is converted, so that the text can be restored.
      return Int64(text).flatMap { String($0) == text ? .integer($0) : nil }
    case (.text(let text), .real):
      if let integer = Int64(text), String(integer) == text { return .integer(integer) }
      return Double(text).flatMap { "\($0)" == text ? .real($0) : nil }
    case (.text(let text), .decimal):
      // Leading zeros, a plus sign and an exponent belong to codes, such as telephone numbers.
      return DecimalText.isPlain(text) ? value : nil
    case (.text(let text), .composite):
      return (try? JSONParser.parse(text))?.retainsNumbers == true ? value : nil
    case (.text(let text), .url):
      // Other text would be changed by percent-encoding.
      return URL(storedText: text)?.absoluteString == text ? value : nil
    default: return value
    }
  }
}
