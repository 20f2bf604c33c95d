/// The result of converting a constant to the type of a property.
enum ConvertedConstant: Sendable, Hashable {
  case null
  case value(StoredValue)
  /// A number that is not a value of the property, with its position between the values.
  case integerPoint(NumberPoint<Int64>)
  case realPoint(NumberPoint<Double>)
}

/// The error of a constant that cannot be compared with a property.
///
/// `noun` describes the constant in error messages.
struct ConversionFailure: Error {
  var noun: String
}

extension Constant {
  /// Returns the constant as a property of `type` stores it.
  ///
  /// - Parameter type: The type of the property.
  /// - Returns: The converted constant.
  /// - Throws: ``ConversionFailure``, and errors of creating the canonical JSON of an argument.
  func converted(to type: PropertyType) throws -> ConvertedConstant {
    if case .null = self { return .null }
    switch type.family {
    case .boolean: return .value(try boolean())
    case .integer: return try integer()
    case .real: return try real(type)
    case .text:
      if case .text(let value) = self { return .value(.text(value)) }
    case .data:
      if case .data(let bytes) = self { return .value(.blob(bytes)) }
    case .date: return .value(.real(try date()))
    case .uuid:
      switch self {
      case .uuid(let text), .text(let text):
        guard let canonical = StoredUUID.canonical(text) else {
          throw ConversionFailure(noun: "a text that is not a UUID")
        }
        return .value(.text(canonical))
      default: break
      }
    case .url:
      switch self {
      case .url(let text), .text(let text): return .value(.text(text))
      default: break
      }
    case .decimal: return .value(.text(try decimal()))
    case .composite:
      if case .composite(_, let json) = self { return .value(.text(try json())) }
    }
    throw ConversionFailure(noun: noun)
  }

  /// Returns the constant for a comparison with a sum of integers.
  ///
  /// The sum is a whole number: an integer of 64 bits, or a double beyond them.
  ///
  /// - Returns: The converted constant.
  /// - Throws: ``ConversionFailure``.
  func convertedToSum() throws -> ConvertedConstant {
    if case .null = self { return .null }
    let converted = try integer()
    switch converted {
    case .integerPoint(.belowAll), .integerPoint(.aboveAll):
      let value: Double? =
        switch self {
        case .real(let value, _): value
        case .decimal(let digits, _): Double(digits)
        case .text(let text): Double(try Constant.digits(text))
        default: nil
        }
      // No sum is close to the greatest double.
      if let value, value.isFinite { return .value(.real(value)) }
      return converted
    default: return converted
    }
  }

  private func boolean() throws(ConversionFailure) -> StoredValue {
    switch self {
    case .bool(let value): return .integer(value ? 1 : 0)
    case .integer(let value) where value == 0 || value == 1: return .integer(value)
    case .integer: throw ConversionFailure(noun: "an integer other than 0 and 1")
    case .text(let word):
      switch Keyword(word: word) {
      case .true, .yes: return .integer(1)
      case .false, .no: return .integer(0)
      default:
        if word == "1" { return .integer(1) }
        if word == "0" { return .integer(0) }
        throw ConversionFailure(noun: "a text that is neither TRUE nor FALSE")
      }
    default: throw ConversionFailure(noun: noun)
    }
  }

  private func integer() throws(ConversionFailure) -> ConvertedConstant {
    let point: NumberPoint<Int64>
    switch self {
    case .integer(let value): point = .exact(value)
    case .real(let value, _):
      guard let place = NumberPoint<Int64>(value) else {
        throw ConversionFailure(noun: "NaN, which is not a number")
      }
      point = place
    case .decimal(let digits, _): point = NumberPoint(decimal: digits)
    case .text(let text): point = NumberPoint(decimal: try Constant.digits(text))
    default: throw ConversionFailure(noun: noun)
    }
    if case .exact(let value) = point { return .value(.integer(value)) }
    return .integerPoint(point)
  }

  private func real(_ type: PropertyType) throws(ConversionFailure) -> ConvertedConstant {
    switch self {
    case .integer(let value):
      if type == .float { return .value(.real(Double(Float(value)))) }
      let point = NumberPoint<Double>(value)
      if case .exact(let value) = point { return .value(.real(value)) }
      return .realPoint(point)
    case .real(let value, _):
      if value.isNaN { throw ConversionFailure(noun: "NaN, which is not a number") }
      return .value(.real(Constant.stored(value, type)))
    case .decimal(let digits, _): return .value(.real(try Constant.double(digits, type)))
    case .text(let text):
      return .value(.real(try Constant.double(try Constant.digits(text), type)))
    default: throw ConversionFailure(noun: noun)
    }
  }

  /// Returns the constant as seconds since 1970, as a date property stores them.
  func date() throws(ConversionFailure) -> Double {
    switch self {
    case .date(let seconds), .real(let seconds, _):
      if seconds.isNaN { throw ConversionFailure(noun: "NaN, which is not a number") }
      return StoredDate.rounded(seconds)
    case .integer(let seconds): return StoredDate.rounded(Double(seconds))
    case .decimal(let digits, _): return StoredDate.rounded(try Constant.double(digits, .double))
    case .text(let text):
      guard let seconds = StoredDate.seconds(written: text) else {
        throw ConversionFailure(noun: "a text that is not a date")
      }
      return seconds
    default: throw ConversionFailure(noun: noun)
    }
  }

  private func decimal() throws(ConversionFailure) -> String {
    switch self {
    case .integer(let value): return String(value)
    case .decimal(let digits, _): return digits
    case .text(let text): return try Constant.digits(text)
    case .real(let value, _):
      // The intended decimal is the shortest text that is read back as the same double.
      guard let digits = DecimalText.canonical(value.description) else {
        throw ConversionFailure(noun: "infinity or NaN, which Decimal does not have")
      }
      return digits
    default: throw ConversionFailure(noun: noun)
    }
  }

  private static func digits(_ text: String) throws(ConversionFailure) -> String {
    guard let digits = DecimalText.canonical(text) else {
      throw ConversionFailure(noun: "a text that is not a number")
    }
    return digits
  }

  private static func double(
    _ digits: String, _ type: PropertyType
  ) throws(ConversionFailure) -> Double {
    guard let value = Double(digits), value.isFinite else {
      throw ConversionFailure(noun: "a number beyond the range of Double")
    }
    // Rounds once: the Float nearest to the Double may not be the Float nearest to the digits.
    if type == .float, let nearest = Float(digits), nearest.isFinite { return Double(nearest) + 0 }
    return stored(value, type)
  }

  /// Returns a double as a property of `type` stores it: a Float is rounded, and -0.0 becomes 0.0.
  private static func stored(_ value: Double, _ type: PropertyType) -> Double {
    guard type == .float else { return value + 0 }
    let rounded = Double(Float(value))
    // A finite number too large for Float equals no value, and not infinity.
    return (rounded.isInfinite ? value : rounded) + 0
  }
}
