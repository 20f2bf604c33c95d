/// A color, stored as one INTEGER: `0xRRGGBBAA`.
///
/// The components are in the sRGB color space and not premultiplied by the opacity. On Apple
/// platforms, it can be created from and converted to a `UIColor`, `NSColor` or `CGColor`.
///
/// ```swift
/// @Stored struct Tag { var name: String; var color: RGBAColor }
/// ```
public struct RGBAColor: ConvertibleToStorable, Hashable, Sendable {
  /// The red component, from 0 to 255.
  public var red: UInt8
  /// The green component, from 0 to 255.
  public var green: UInt8
  /// The blue component, from 0 to 255.
  public var blue: UInt8
  /// The opacity, from 0 to 255.
  public var alpha: UInt8

  /// Creates a color from components from 0 to 255; opaque by default.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  /// Creates a color from a number: `0xRRGGBBAA`.
  public init(stored number: UInt32) {
    func part(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
    self.init(red: part(24), green: part(16), blue: part(8), alpha: part(0))
  }

  /// The color as a number: `0xRRGGBBAA`.
  public var stored: UInt32 {
    UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha)
  }
}

#if canImport(CoreGraphics)
  public import CoreGraphics

  extension RGBAColor {
    /// Creates the nearest color in sRGB, or returns `nil` if the color can't be converted.
    public init?(_ color: CGColor) {
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let parts = color.converted(to: space, intent: .defaultIntent, options: nil)?.components,
        parts.count == 4
      else { return nil }
      func part(_ value: CGFloat) -> UInt8 { UInt8((min(max(value, 0), 1) * 255).rounded()) }
      self.init(
        red: part(parts[0]), green: part(parts[1]), blue: part(parts[2]), alpha: part(parts[3]))
    }

    /// The color in sRGB.
    public var cgColor: CGColor {
      func part(_ value: UInt8) -> CGFloat { CGFloat(value) / 255 }
      return CGColor(
        srgbRed: part(red), green: part(green), blue: part(blue), alpha: part(alpha))
    }
  }
#endif
