internal import ArgumentParser
import ObjectVaultCore

/// `--type name:Type`: the type of a property, said instead of found.
struct TypeOverride {
  var name: String
  var type: PropertyType
  /// Whether `?` stands after the type.
  var isOptional: Bool

  /// - Throws: An error of the command line where the text is none.
  init(argument: String) throws {
    // A name may have colons in it; a type has none.
    let colon = argument.lastIndex(of: ":") ?? argument.startIndex
    name = String(argument[..<colon])
    var word = argument[colon...].dropFirst()
    isOptional = word.last == "?"
    if isOptional { word.removeLast() }
    guard !name.isEmpty, let type = PropertyType(rawValue: String(word)) else {
      let types = PropertyType.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError(
        "--type takes a property, a colon and a type, as in born:Date; the types are \(types).")
    }
    self.type = type
  }
}
