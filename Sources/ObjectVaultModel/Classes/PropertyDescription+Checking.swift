package import ObjectVaultCondition
import Foundation
package import ObjectVaultDriver

extension PropertyDescription {
  /// Returns the value in the stored format of the property's type.
  ///
  /// - Throws: `.invalidValue` if the value is not valid for the type.
  package func checked(
    _ value: StoredValue, in description: ClassDescription, at position: Int
  ) throws(VaultError) -> StoredValue {
    func refused(_ reason: String) -> VaultError {
      VaultError(
        .invalidValue,
        "Property '\(name)' of class '\(description.name)' has type "
          + "\(type.rawValue)\(isOptional ? "?" : ""), but \(reason). Correct the value.")
    }
    if type.storesUnchanged(value) { return value }
    switch (type.family, value) {
    case (_, .null):
      let isGenerated =
        description.objectIDIsRowID && description.objectID == .properties([position])
      if isOptional || isGenerated { return .null }
      throw refused("it is not optional and has no value")
    case (.integer, .integer): throw refused("the number is out of range")
    case (.real, .real(let number)), (.date, .real(let number)):
      if number.isNaN { throw refused("a file cannot store NaN") }
      if type == .date { return .real(StoredDate.rounded(number)) }
      if type == .float, Double(Float(number)) != number {
        throw refused("the number needs more precision than Float has")
      }
      return .real(number == 0 ? 0 : number)
    case (.real, .integer(let number)), (.date, .integer(let number)):
      guard let real = Double(exactly: number) else {
        throw refused("the integer has no exact floating-point form")
      }
      return try checked(.real(real), in: description, at: position)
    case (.text, .text): throw refused("the text is not one character")
    case (.uuid, .text(let text)):
      guard let canonical = StoredUUID.canonical(text) else {
        throw refused("the text is not a UUID")
      }
      return .text(canonical)
    case (.url, .text(let text)):
      guard URL(storedText: text)?.absoluteString == text else {
        throw refused("the text is not a URL, or has characters that must be percent-encoded")
      }
      return value
    case (.decimal, .text(let text)):
      guard let canonical = DecimalText.canonical(text) else {
        throw refused("the text is not a decimal number")
      }
      if Decimal(plainDigits: canonical) == nil {
        throw refused("the number has more digits or another magnitude than Decimal can represent")
      }
      return .text(canonical)
    case (.decimal, .integer(let number)): return .text(String(number))
    case (.composite, .text(let text)):
      do {
        return .text(try JSONParser.parse(text).canonicalText)
      } catch {
        throw refused("the text is not JSON: \(error)")
      }
    default: throw refused("the value has another type")
    }
  }
}

extension PropertyDescription {
  /// Checks that the Swift type of the property, if known, has a value in its stored format.
  ///
  /// - Throws: `.invalidValue` if it does not, so that no object could be read.
  package func checkIsReadable(
    _ value: StoredValue, in description: ClassDescription
  ) throws(VaultError) {
    if value.isNull { return }
    do {
      try Row.withValues([value]) { row throws in
        try valueType.read(row, at: 0, storedAs: type)
      }
    } catch {
      throw VaultError(
        .invalidValue,
        "Property '\(name)' of class '\(description.name)' cannot be set to the value, which its type "
          + "in Swift does not have. Pass a value of that type.")
    }
  }

  /// Returns whether the property can read every value of another property of the same stored type.
  package func canRead(valuesOf other: PropertyDescription) -> Bool {
    converter == other.converter && !valueType.isNarrower(than: other.valueType, storedAs: type)
  }
}

extension PropertyType {
  /// Returns whether a value is valid for the type and is stored as it is.
  ///
  /// Most values are. Others have another stored format, or are invalid.
  func storesUnchanged(_ value: StoredValue) -> Bool {
    switch (family, value) {
    case (.boolean, .integer(let number)): number == 0 || number == 1
    case (.integer, .integer(let number)): integerRange.contains(number)
    case (.real, .real(let number)): self == .double && number.isNaN == false && number != 0
    case (.text, .text(let text)): self != .character || text.count == 1
    case (.data, .blob): true
    default: false
    }
  }

  /// The range of an integer property; unsigned ranges end at `Int64.max`, the limit of the file.
  package var integerRange: ClosedRange<Int64> {
    switch self {
    case .int8: Int64(Int8.min)...Int64(Int8.max)
    case .int16: Int64(Int16.min)...Int64(Int16.max)
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .uint8: 0...Int64(UInt8.max)
    case .uint16: 0...Int64(UInt16.max)
    case .uint32: 0...Int64(UInt32.max)
    case .uint, .uint64: 0...Int64.max
    default: Int64.min...Int64.max
    }
  }
}
