/// Unicode simple case folding, which maps every scalar to one scalar in any locale.
///
/// The standard library has no such table. The mapping of CaseFolding.txt (statuses C and S) is the
/// lower case of the upper case, each only if it is a single scalar. The exceptions are below. They
/// were found by comparing every scalar with that file.
package enum SimpleCaseFolding {
  package static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let value = scalar.value
    if value < 0x80 {
      return value >= 0x41 && value <= 0x5A ? Unicode.Scalar(UInt8(value | 0x20)) : scalar
    }
    switch value {
    // Cherokee folds to upper case, which Unicode encoded first.
    case 0x13F8...0x13FD: return Unicode.Scalar(value - 8) ?? scalar
    case 0xAB70...0xABBF: return Unicode.Scalar(value - 0xAB70 + 0x13A0) ?? scalar
    case 0x13A0...0x13F5: return scalar
    // The prosgegrammeni (U+1FBE) differs from the letter iota only by its decomposition.
    case 0x1FBE: return "\u{3B9}"
    default: return scalar.properties.changesWhenCaseFolded ? derived(scalar) : scalar
    }
  }

  private static func derived(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let upper = single(scalar.properties.uppercaseMapping) ?? scalar
    return single(upper.properties.lowercaseMapping) ?? upper
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, scalars.count == 1 else { return nil }
    return first
  }
}
