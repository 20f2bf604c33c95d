internal import COpenSSL

/// The cryptographic library of this process.
package enum OpenSSLLibrary {
  /// The version text of the library, such as `OpenSSL 3.0.17 1 Jul 2025`.
  package static var version: String {
    OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "unknown"
  }
}
