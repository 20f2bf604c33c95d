internal import ArgumentParser
import ObjectVaultCore

/// The option `--type name:Type`, which sets the type of a property instead of inferring it.
struct TypeOverride {
  var name: String
  var type: PropertyType
  /// Whether the type ends with `?`.
  var isOptional: Bool

  /// Creates the override from the text of the option.
  ///
  /// - Parameter argument: The text.
  /// - Throws: `ValidationError` if the text is not an override.
  init(argument: String) throws {
    // A name can contain colons; a type cannot.
    let colon = argument.lastIndex(of: ":") ?? argument.startIndex
    name = String(argument[..<colon])
    var word = argument[colon...].dropFirst()
    isOptional = word.last == "?"
    if isOptional { word.removeLast() }
    guard !name.isEmpty, let type = PropertyType(rawValue: String(word)) else {
      let types = PropertyType.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--type must be a property, a colon and a type, as in born:Date. The types are \(types).")
    }
    self.type = type
  }
}
