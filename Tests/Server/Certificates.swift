import Foundation
import TestSupport

/// A certificate of a server, and that of its issuer, which OpenSSL's program creates.
struct Certificates {
  private let folder: String

  /// The file with the issuer's certificate.
  var root: String { "\(folder)/root.crt" }
  /// The file with the server's certificate.
  var certificate: String { "\(folder)/server.crt" }
  /// The file with the server's key.
  var key: String { "\(folder)/server.key" }

  /// Creates certificates.
  ///
  /// - Parameters:
  ///   - name: The host name of the server.
  ///   - folder: The folder for the files, which is created.
  /// - Throws: ``OwnServer/Failure`` if OpenSSL's program fails.
  init(for name: String, in folder: String) throws {
    self.folder = folder
    try OwnServer.execute("/bin/mkdir", ["-m", "700", folder])
    try Self.create("/CN=issuer", root, "\(folder)/root.key", [])
    try Self.create(
      "/CN=\(name)", certificate, key,
      ["-CA", root, "-CAkey", "\(folder)/root.key", "-addext", "subjectAltName=DNS:\(name)"])
  }

  private static func create(
    _ subject: String, _ certificate: String, _ key: String, _ others: [String]
  ) throws {
    try OwnServer.execute(
      "/usr/bin/env",
      [
        // The program needs the OpenSSL that it was built for.
        "-u", "LD_LIBRARY_PATH", "openssl", "req", "-x509", "-newkey", "ec",
        "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", subject,
        "-out", certificate, "-keyout", key,
      ] + others)
  }
}
