import ObjectVaultConformanceFormat

/// Accessors for the arguments of the runner's operations.
///
/// The forms were checked when the fixture was read. These accessors reject values that were built
/// in another way.
extension FixtureValue {
  func text(_ name: String) throws(RunnerError) -> String {
    guard let text = try optionalText(name) else { throw RunnerError("'\(name)' is missing") }
    return text
  }

  func optionalText(_ name: String) throws(RunnerError) -> String? {
    switch self[name] {
    case nil: return nil
    case .text(let text)?: return text
    case let other?: throw RunnerError("'\(name)' must be a text, not \(other.notation)")
    }
  }

  func integer(_ name: String) throws(RunnerError) -> Int64 {
    guard case .integer(let number)? = self[name] else {
      throw RunnerError("'\(name)' must be a whole number, not \(self[name].notation)")
    }
    return number
  }

  func bytes(_ name: String) throws(RunnerError) -> [UInt8] {
    guard let bytes = self[name]?.bytes else {
      throw RunnerError("'\(name)' must be a text or data, not \(self[name].notation)")
    }
    return bytes
  }

  func texts(_ name: String) throws(RunnerError) -> [String] {
    guard let texts = self[name]?.texts else {
      throw RunnerError("'\(name)' must be a list of texts, not \(self[name].notation)")
    }
    return texts
  }

  /// The bytes of data, or of a text in UTF-8.
  var bytes: [UInt8]? {
    switch self {
    case .text(let text): Array(text.utf8)
    case .data(let bytes): bytes
    default: nil
    }
  }

  /// The elements of a list of texts.
  var texts: [String]? {
    guard case .list(let elements) = self else { return nil }
    var texts: [String] = []
    for element in elements {
      guard case .text(let text) = element else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// The members of an object, in source order.
  var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The elements of a list.
  var elements: [FixtureValue]? {
    guard case .list(let elements) = self else { return nil }
    return elements
  }
}
