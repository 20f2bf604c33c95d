import Foundation

/// The driver of libFuzzer, which the linker adds with `-sanitize=fuzzer`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ input: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

// Usage: `vaultfuzz TARGET [libFuzzer arguments]`, or `vaultfuzz --targets`.
let words = CommandLine.arguments
if words.count == 2, words[1] == "--targets" {
  for target in FuzzTarget.allCases { print(target.rawValue) }
  exit(0)
}
guard words.count > 1, let target = FuzzTarget(rawValue: words[1]) else {
  FileHandle.standardError.write(Data("vaultfuzz: give a target; --targets lists them\n".utf8))
  exit(64)
}
FuzzTarget.current = target
var pointers = ([words[0]] + words.dropFirst(2)).map { strdup($0) } + [nil]
exit(
  pointers.withUnsafeMutableBufferPointer { buffer in
    var count = Int32(buffer.count - 1)
    guard var start = buffer.baseAddress else { return 64 }
    return runDriver(&count, &start) { bytes, count in
      FuzzTarget.current.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
      return 0
    }
  })
