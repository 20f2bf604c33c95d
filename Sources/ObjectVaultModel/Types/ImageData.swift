public import Foundation

/// An image, stored as a BLOB with the unchanged bytes of an image file.
///
/// The image is neither decoded nor recompressed, so reading returns exactly the stored bytes. On
/// Apple platforms, it can be created from and converted to a `CGImage`.
///
/// ```swift
/// @Stored struct Person { var name: String; var portrait: ImageData? }
/// ```
public struct ImageData: ConvertibleToStorable, Hashable, Sendable {
  /// A format of image files.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    case png, jpeg, gif, webp, heif, tiff, bmp
  }

  /// The bytes of the file.
  public var data: Data

  /// Creates an image from the bytes of its file, without inspecting them.
  public init(_ data: Data) { self.data = data }

  /// Creates an image from the bytes of its file.
  public init(stored data: Data) { self.data = data }

  /// The bytes of the file.
  public var stored: Data { data }

  /// The format according to the first bytes, or `nil` for an unknown format.
  public var format: Format? {
    let bytes = Array(data.prefix(12))
    func begins(_ expected: [UInt8], at offset: Int = 0) -> Bool {
      bytes.dropFirst(offset).starts(with: expected)
    }
    if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if begins([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if begins(Array("GIF8".utf8)) { return .gif }
    if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) { return .webp }
    if begins(Array("ftyp".utf8), at: 4) {
      let brands = ["heic", "heix", "mif1", "avif"]
      return brands.contains { begins(Array($0.utf8), at: 8) } ? .heif : nil
    }
    if begins([0x49, 0x49, 0x2A, 0x00]) || begins([0x4D, 0x4D, 0x00, 0x2A]) { return .tiff }
    return begins(Array("BM".utf8)) ? .bmp : nil
  }
}

#if canImport(ImageIO)
  public import CoreGraphics
  import ImageIO

  extension ImageData {
    /// Creates an image as a PNG file, or returns `nil` if the conversion fails.
    public init?(png image: CGImage) {
      let data = NSMutableData()
      guard
        let file = CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil)
      else { return nil }
      CGImageDestinationAddImage(file, image, nil)
      guard CGImageDestinationFinalize(file) else { return nil }
      self.init(data as Data)
    }

    /// The decoded image, or `nil` if the system can't decode the bytes.
    public var cgImage: CGImage? {
      CGImageSourceCreateWithData(data as CFData, nil)
        .flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) }
    }
  }
#endif
