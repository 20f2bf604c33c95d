internal import COpenSSL

/// The cryptographic library in this process.
package enum OpenSSLLibrary {
  /// What the library says of itself, such as `OpenSSL 3.0.17 1 Jul 2025`.
  package static var version: String {
    OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "unknown"
  }
}
