internal import ArgumentParser
import ObjectVaultCore

/// `--type name:Type`: the type of a property, said instead of found.
struct TypeOverride: ExpressibleByArgument {
  var name: String
  var type: PropertyType
  /// Whether `?` stands after the type.
  var isOptional: Bool

  init?(argument: String) {
    // A name may have colons in it; a type has none.
    guard let colon = argument.lastIndex(of: ":") else { return nil }
    name = String(argument[..<colon])
    var word = argument[argument.index(after: colon)...]
    isOptional = word.last == "?"
    if isOptional { word.removeLast() }
    guard !name.isEmpty, let type = PropertyType(rawValue: String(word)) else { return nil }
    self.type = type
  }

  static var words: String { PropertyType.allCases.map(\.rawValue).joined(separator: ", ") }
}
