import Foundation
package import ObjectVaultCondition

extension TextFolding {
  /// Text folding with the canonical decomposition of Foundation.
  package static let standard = TextFolding { $0.decomposedStringWithCanonicalMapping }
}
