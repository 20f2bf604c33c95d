internal import CSQLCipher

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The SQLCipher library this process calls.
package enum Engine {
  /// Proves that the process calls SQLCipher and nothing else, before any key or file is touched.
  ///
  /// The proof runs once in a process. Plain SQLite that comes before SQLCipher in the order of
  /// libraries would ignore keys and write files in clear, or crash when it is given one.
  ///
  /// - Throws: ``EngineError/Code/notSQLCipher`` when SQLite or two libraries answer,
  ///   ``EngineError/Code/unsupportedEngine`` when the version or the build cannot be used.
  package static func prove() throws(EngineError) -> EngineInfo {
    try proof.get()
  }

  /// Has the engine keep no account of the memory that it uses.
  ///
  /// - Returns: Whether it does; `false` if the process used the engine before.
  package static func countNoMemory() -> Bool { ov_count_no_memory() == SQLITE_OK }

  private static let proof: Result<EngineInfo, EngineError> = {
    do throws(EngineError) {
      return .success(try EngineProof.run())
    } catch {
      return .failure(error)
    }
  }()

  /// The address of a function that only newer engines have, or `nil` where this one lacks it.
  ///
  /// A function of that name in another library is not taken for the engine's: handing it this
  /// engine's connections would crash.
  static func function(named name: String) -> UnsafeMutableRawPointer? {
    // RTLD_DEFAULT, which Swift does not import everywhere.
    #if canImport(Darwin)
      let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let everywhere: UnsafeMutableRawPointer? = nil
    #endif
    guard let address = dlsym(everywhere, name),
      let image = imageBase(of: address), image == imageBase(of: ov_address_of_open())
    else { return nil }
    return address
  }

  /// Where the image that holds an address was loaded.
  static func imageBase(of address: UnsafeRawPointer?) -> UnsafeMutableRawPointer? {
    guard let address else { return nil }
    var image = ov_image()
    return ov_find_image(address, &image) != 0 ? image.base : nil
  }

  /// The file of the image that holds an address.
  static func imagePath(of address: UnsafeRawPointer?) -> String {
    guard let address else { return "an unknown file" }
    var image = ov_image()
    guard ov_find_image(address, &image) != 0, let path = image.path else {
      return "an unknown file"
    }
    return String(cString: path)
  }
}
