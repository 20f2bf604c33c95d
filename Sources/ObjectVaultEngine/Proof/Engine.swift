internal import CSQLCipher
package import ObjectVaultDriver

internal import ObjectVaultPlatform

/// The SQLCipher library that this process calls.
package enum Engine {
  /// Returns information about the engine after proving that the process calls only SQLCipher.
  ///
  /// Must be called before any key or file is used. The proof runs once per process. If plain
  /// SQLite precedes SQLCipher in the order of libraries, it would ignore keys and write
  /// unencrypted files, or crash when it is given a key.
  ///
  /// - Throws: ``DriverError/Code/notSQLCipher`` if plain SQLite or two libraries are found,
  ///   ``DriverError/Code/unsupportedEngine`` if the version or the build cannot be used.
  package static func prove() throws(DriverError) -> EngineInfo {
    try proof.get()
  }

  /// Disables the memory statistics of the engine.
  ///
  /// - Returns: Whether the statistics are disabled; `false` if the process used the engine before.
  package static func countNoMemory() -> Bool { ov_count_no_memory() == SQLITE_OK }

  private static let proof: Result<EngineInfo, DriverError> = {
    do throws(DriverError) {
      return .success(try EngineProof.run())
    } catch {
      return .failure(error)
    }
  }()

  /// Returns the address of a function, or `nil` if it is not a function of this engine.
  ///
  /// A function of another library is not accepted: calling it with this engine's connections would
  /// crash.
  static func own(_ address: UnsafeRawPointer?) -> UnsafeRawPointer? {
    guard let address, areInOneImage(address, ov_address_of_open()) else { return nil }
    return address
  }

  /// Returns whether two functions are in the same program or library.
  ///
  /// A program without a dynamic loader has no images: the linker resolved each name to the only
  /// definition.
  static func areInOneImage(_ a: UnsafeRawPointer?, _ b: UnsafeRawPointer?) -> Bool {
    guard a != nil, b != nil else { return false }
    return imageBase(of: a) == imageBase(of: b)
      && (imageBase(of: a) != nil || imageBase(of: ov_address_of_module()) == nil)
  }

  /// Returns the load address of the image that contains an address.
  static func imageBase(of address: UnsafeRawPointer?) -> UnsafeMutableRawPointer? {
    guard let address else { return nil }
    var image = ov_image()
    return ov_find_image(address, &image) != 0 ? image.base : nil
  }

  /// Returns the file of the image that contains an address.
  static func imagePath(of address: UnsafeRawPointer?) -> String {
    guard let address else { return "an unknown file" }
    var image = ov_image()
    guard ov_find_image(address, &image) != 0, let path = image.path else {
      return imageBase(of: ov_address_of_module()) == nil ? "this program" : "an unknown file"
    }
    return String(cString: path)
  }
}
