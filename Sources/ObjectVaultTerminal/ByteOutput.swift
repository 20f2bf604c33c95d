/// A destination of formatted objects: standard output or a file.
package protocol ByteOutput: AnyObject {
  func write(_ bytes: [UInt8]) throws
}

extension ByteOutput {
  package func write(_ text: String) throws { try write(Array(text.utf8)) }
}
