import Foundation

/// Changes one byte of a file that nobody has open.
func flipByte(of path: String, at offset: UInt64) throws {
  let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
  try file.seek(toOffset: offset)
  let byte = try file.read(upToCount: 1)?.first ?? 0
  try file.seek(toOffset: offset)
  try file.write(contentsOf: Data([byte ^ 0xff]))
  try file.close()
}
