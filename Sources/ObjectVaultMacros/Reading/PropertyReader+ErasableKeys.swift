import SwiftDiagnostics
import SwiftSyntax

extension PropertyReader {
  /// Returns the property that `@Sealed(by:)` names.
  ///
  /// - Parameters:
  ///   - path: The key path.
  ///   - property: The sealed property.
  ///   - isOnly: Whether the attribute has no other argument.
  /// - Returns: The name; `nil` after a diagnostic.
  mutating func readKeyPath(
    _ path: ExprSyntax, of property: StoredProperty, isOnly: Bool
  ) -> String? {
    func refuse(_ reason: String) -> String? {
      diagnostics.append(.stored(path, "'\(property.name)' cannot be sealed: \(reason)"))
      return nil
    }
    if !isOnly {
      return refuse(
        "a property with a key of its own cannot be findable; write '@Sealed(by:)' alone")
    }
    guard let name = path.keyPathProperty,
      let type = path.keyPathType, [typeName, typeIdentifier, "Self"].contains(type)
    else {
      return refuse(
        "name its key by a property of '\(typeName)', such as '\\\(typeName).key'")
    }
    if !property.isOptional {
      return refuse("its values are unreadable after their key is destroyed; make it optional")
    }
    keyNames.append((name, path))
    return name
  }

  /// Reports key paths of `@Sealed(by:)` to properties that cannot name a key.
  mutating func checkKeyNames() {
    // A property with another diagnostic may be missing because of it.
    guard diagnostics.isEmpty else { return }
    for (name, path) in keyNames {
      let problem: String? =
        if let property = properties.first(where: { $0.name == name }) {
          property.isOptional
            ? "is optional" : property.sealing != nil ? "is sealed itself" : nil
        } else {
          "is not a stored property"
        }
      if let problem {
        diagnostics.append(.stored(path, "'\(name)' cannot name a key: it \(problem)"))
      }
    }
  }
}
