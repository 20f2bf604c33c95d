/// A colour, stored as one INTEGER: `0xRRGGBBAA`.
///
/// The parts are those of the sRGB colour space, not multiplied by the opacity. On Apple's systems it is
/// made of a `UIColor`, `NSColor` or `CGColor` and makes one.
///
/// ```swift
/// @Stored struct Tag { var name: String; var color: RGBAColor }
/// ```
public struct RGBAColor: ConvertibleToStorable, Hashable, Sendable {
  /// From 0 to 255.
  public var red: UInt8
  /// From 0 to 255.
  public var green: UInt8
  /// From 0 to 255.
  public var blue: UInt8
  /// The opacity, from 0 to 255.
  public var alpha: UInt8

  /// A colour of its parts, each from 0 to 255; opaque by default.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// The colour that a number means: `0xRRGGBBAA`.
  public init(stored number: UInt32) {
    func part(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
    self.init(red: part(24), green: part(16), blue: part(8), alpha: part(0))
  }

  /// The colour as a number: `0xRRGGBBAA`.
  public var stored: UInt32 {
    UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha)
  }
}

#if canImport(CoreGraphics)
  public import CoreGraphics

  extension RGBAColor {
    /// The nearest colour of sRGB; `nil` where there is none.
    public init?(_ color: CGColor) {
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let parts = color.converted(to: space, intent: .defaultIntent, options: nil)?.components,
        parts.count == 4
      else { return nil }
      func part(_ value: CGFloat) -> UInt8 { UInt8((min(max(value, 0), 1) * 255).rounded()) }
      self.init(
        red: part(parts[0]), green: part(parts[1]), blue: part(parts[2]), alpha: part(parts[3]))
    }

    /// The colour in sRGB.
    public var cgColor: CGColor {
      func part(_ value: UInt8) -> CGFloat { CGFloat(value) / 255 }
      return CGColor(
        srgbRed: part(red), green: part(green), blue: part(blue), alpha: part(alpha))
    }
  }
#endif
