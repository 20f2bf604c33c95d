import Foundation
import ObjectVaultKeys
import Testing

@Suite("A key source")
struct KeySourceTests {
  private func read(_ source: KeySource) throws -> (ResolvedKey.Kind, [UInt8]) {
    let key = try VaultKey.source(source).resolve()
    return (key.kind, key.secret.withUnsafeBytes { Array($0) })
  }

  private func failure(_ source: KeySource) -> KeyError? {
    #expect(throws: KeyError.self) { try VaultKey.source(source).resolve() }
  }

  static let endings: [(String, String)] = [
    ("secret", "secret"), ("secret\n", "secret"), ("secret\r\n", "secret"),
    ("secret\n\n", "secret\n"), ("secret\r", "secret\r"), ("secret\n\r", "secret\n\r"),
    (" secret ", " secret "), ("a\nb", "a\nb"), ("\n\n", "\n"), ("\u{0}x\u{0}\n", "\u{0}x\u{0}"),
  ]

  @Test("in a file loses one newline at the end and nothing else", arguments: endings)
  func fileEndings(content: String, expected: String) throws {
    let folder = try TemporaryFolder()
    let (kind, bytes) = try read(.file(folder.write(Array(content.utf8), to: "key")))
    #expect(kind == .passphrase)
    #expect(bytes == Array(expected.utf8))
  }

  @Test(
    "in a file with nothing but a newline is an empty passphrase", arguments: ["", "\n", "\r\n"])
  func emptyFile(content: String) throws {
    let folder = try TemporaryFolder()
    #expect(failure(.file(try folder.write(Array(content.utf8), to: "key")))?.code == .noKey)
  }

  @Test("in a file of its owner alone is read", arguments: [0o600, 0o400, 0o700])
  func privateModes(mode: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("secret".utf8), to: "key", mode: mode)
    #expect(try read(.file(path)).1 == Array("secret".utf8))
  }

  @Test(
    "in a file that others may use is refused with mode and remedy",
    arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o666, 0o777])
  func openModes(mode: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("secret".utf8), to: "key", mode: mode)
    let error = failure(.file(path))
    #expect(error?.code == .keySourceUnreadable)
    #expect(
      error?.message
        == "The key file '\(path)' has mode 0\(String(mode, radix: 8)), so other users may access "
        + "it. Run: chmod 600 '\(path)'")
  }

  @Test("in a file that is not there names it and the system's reason")
  func missingFile() {
    let error = failure(.file("/nonexistent/key"))
    #expect(error?.code == .keySourceUnreadable)
    #expect(error?.systemError == ENOENT)
    #expect(
      error?.message
        == "Cannot open the key file '/nonexistent/key': No such file or directory. Check the path "
        + "and the file's permissions.")
  }

  @Test(
    "at an impossible path is refused",
    arguments: ["", "a\u{0}b", String(repeating: "x", count: 5000)])
  func impossiblePath(path: String) {
    #expect(failure(.file(path))?.code == .keySourceUnreadable)
  }

  @Test(
    "in a folder, or in a pipe that nothing writes to, is rejected without waiting",
    arguments: ["folder", "pipe"])
  func notARegularFile(kind: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("key")
    if kind == "folder" {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } else {
      #expect(mkfifo(path, 0o600) == 0)
    }
    let error = failure(.file(path))
    #expect(error?.code == .keySourceUnreadable)
    #expect(
      error?.message
        == (kind == "folder"
          ? "The key file '\(path)' is not a regular file or a pipe. Check the path."
          : "No program writes to the pipe of the key file '\(path)'. Start the program that "
            + "writes the key first.")
    )
  }

  @Test("in a pipe by its path, as a shell's <(...) gives it, is read once and kept")
  func pipeByPath() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("secret\n".utf8))
    try pipe.fileHandleForWriting.close()
    let source = KeySource.file("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    #expect(try read(source).1 == Array("secret".utf8))
    #expect(try read(source).1 == Array("secret".utf8))
  }

  @Test("in a pipe that others may use is rejected as a file would be")
  func openPipe() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0 && chmod(path, 0o644) == 0)
    let writer = try #require(FileHandle(forUpdatingAtPath: path))
    try writer.write(contentsOf: Data("secret\n".utf8))
    #expect(failure(.file(path))?.message.contains("has mode 0644") == true)
  }

  @Test("in a device is refused", arguments: ["/dev/zero", "/dev/null"])
  func device(path: String) {
    #expect(failure(.file(path))?.message.contains("is not a regular file") == true)
  }

  @Test("behind a symbolic link is read, and judged by the file's own mode")
  func symbolicLink() throws {
    let folder = try TemporaryFolder()
    for (name, mode) in [("private", 0o600), ("open", 0o644)] {
      let path = try folder.write(Array("secret".utf8), to: name, mode: mode)
      try FileManager.default.createSymbolicLink(
        atPath: path + ".link", withDestinationPath: path)
    }
    #expect(try read(.file(folder.path("private.link"))).1 == Array("secret".utf8))
    #expect(failure(.file(folder.path("open.link")))?.message.contains("has mode 0644") == true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loop"), withDestinationPath: folder.path("loop"))
    #expect(failure(.file(folder.path("loop")))?.systemError == ELOOP)
  }

  @Test("in a file takes 64 KiB and not a byte more")
  func fileBounds() throws {
    let folder = try TemporaryFolder()
    let most = [UInt8](repeating: 0x61, count: 65536)
    #expect(try read(.file(folder.write(most, to: "most"))).1 == most)
    let path = try folder.write(most + [0x61], to: "more")
    let error = failure(.file(path))
    #expect(error?.code == .keySourceUnreadable)
    #expect(
      error?.message
        == "The key source is too long: the key file '\(path)' has more than 65536 bytes. Check "
        + "that it is the right one.")
  }

  @Test("in a file of a terabyte is refused without reading it")
  func hugeFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([], to: "huge")
    try #require(truncate(path, 1 << 40) == 0)
    #expect(failure(.file(path))?.message.contains("has more than 65536 bytes") == true)
  }

  @Test("in a file is read anew each time")
  func fileIsReadAnew() throws {
    let folder = try TemporaryFolder()
    let source = KeySource.file(try folder.write([0x61], to: "key"))
    #expect(try read(source).1 == [0x61])
    _ = try folder.write([0x62], to: "key")
    #expect(try read(source).1 == [0x62])
  }

  static let rawContents: [([UInt8], Int, Bool)] = {
    let digits = Array(String(repeating: "0aF9", count: 24).utf8)
    let binary = Array(UInt8(200)..<247) + [0x0a]
    return [
      (binary.suffix(32), 32, false), (binary, 48, true),
      (Array(digits.prefix(64)), 32, false), (digits, 48, true),
      (Array(digits.prefix(64)) + [0x0a], 32, false), (digits + [0x0d, 0x0a], 48, true),
    ]
  }()

  @Test("of a raw key takes bytes and hexadecimal digits", arguments: rawContents)
  func rawFile(content: [UInt8], count: Int, hasSalt: Bool) throws {
    let folder = try TemporaryFolder()
    let source = KeySource.file(try folder.write(content, to: "key"), holding: .raw)
    let key = try VaultKey.source(source).resolve()
    #expect(key.kind == .raw)
    #expect((key.salt != nil) == hasSalt)
    let expected: [UInt8] =
      content.count <= 48
      ? content : (0..<count).map { [0x0a, 0xf9][$0 % 2] }
    #expect(key.secret.withUnsafeBytes { Array($0) } == Array(expected.prefix(32)))
    #expect(key.salt == (hasSalt ? FileSalt(expected.suffix(16)) : nil))
  }

  @Test(
    "of a raw key refuses other lengths and characters",
    arguments: [0, 1, 31, 33, 47, 49, 63, 65, 66, 95, 97, 65536])
  func rawLengths(count: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: 0x61, count: count), to: "key")
    #expect(failure(.file(path, holding: .raw))?.code == (count == 0 ? .noKey : .invalidKey))
  }

  @Test("in an environment variable is taken whole, newline and all")
  func environment() throws {
    let name = "OBJECTVAULT_TEST_\(UInt64.random(in: 0...UInt64.max))"
    setenv(name, "secret\n", 1)
    defer { unsetenv(name) }
    #expect(try read(.environment(name)).1 == Array("secret\n".utf8))
    setenv(name, String(repeating: "ab", count: 32), 1)
    let (kind, bytes) = try read(.environment(name, holding: .raw))
    #expect(kind == .raw)
    #expect(bytes == [UInt8](repeating: 0xab, count: 32))
  }

  @Test("in an environment variable that is unset or empty names it")
  func missingEnvironment() {
    let name = "OBJECTVAULT_TEST_\(UInt64.random(in: 0...UInt64.max))"
    let unset = failure(.environment(name))
    #expect(unset?.code == .keySourceUnreadable)
    #expect(
      unset?.message
        == "The environment variable '\(name)' is not set. Set it to the key, or use another "
        + "source.")
    setenv(name, "", 1)
    defer { unsetenv(name) }
    let empty = failure(.environment(name))
    #expect(empty?.code == .keySourceUnreadable)
    #expect(empty?.message.contains("'\(name)' is empty") == true)
  }

  @Test("in a variable of an impossible name is refused", arguments: ["", "A=B", "A\u{0}B"])
  func impossibleVariable(name: String) {
    #expect(failure(.environment(name))?.code == .keySourceUnreadable)
  }

  @Test("in a pipe is read to its end, in whatever pieces it comes", arguments: [1, 4096, 65536])
  func pipe(count: Int) throws {
    let content = (0..<count).map { _ in UInt8.random(in: 33...126) }
    let pipe = Pipe()
    let writer = Thread {
      for piece in stride(from: 0, to: count, by: 1000) {
        pipe.fileHandleForWriting.write(Data(content[piece..<min(piece + 1000, count)]))
      }
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    #expect(try read(.descriptor(pipe.fileHandleForReading.fileDescriptor)).1 == content)
  }

  @Test("in a pipe is kept, because it can be read only once, and loses one newline")
  func pipeIsReadOnce() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("secret\r\n".utf8))
    try pipe.fileHandleForWriting.close()
    let source = KeySource.descriptor(pipe.fileHandleForReading.fileDescriptor)
    #expect(try read(source).1 == Array("secret".utf8))
    #expect(try read(source).1 == Array("secret".utf8))
    let another = KeySource.descriptor(pipe.fileHandleForReading.fileDescriptor)
    #expect(failure(another)?.code == .noKey)
  }

  @Test("in a descriptor that never ends is given up after 64 KiB")
  func endlessDescriptor() throws {
    let zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC)
    defer { close(zeros) }
    let error = failure(.descriptor(zeros))
    #expect(error?.code == .keySourceUnreadable)
    #expect(
      error?.message.hasPrefix(
        "The key source is too long: the file descriptor \(zeros) has more than 65536") == true)
  }

  @Test("in a descriptor that is not open names it")
  func closedDescriptor() {
    let error = failure(.descriptor(-1))
    #expect(error?.code == .keySourceUnreadable)
    #expect(error?.systemError == EBADF)
    #expect(error?.message.contains("the file descriptor -1: Bad file descriptor") == true)
  }

  @Test("in a closure is asked each time, and every byte counts")
  func closure() throws {
    let key = VaultKey.source(.closure { Secret(utf8: "secret\n") })
    for _ in 0..<2 {
      #expect(try key.resolve().secret.withUnsafeBytes { Array($0) } == Array("secret\n".utf8))
    }
    let raw = VaultKey.source(.closure(holding: .raw) { Secret(copying: 1...48) })
    #expect(try raw.resolve().salt == FileSalt(33...48))
    #expect(failure(.closure { Secret(count: 0) })?.code == .noKey)
  }

  @Test("in a closure that fails passes its error on and does not print it")
  func failingClosure() {
    struct StoreLocked: Error { var hint = "sesame" }
    let error = failure(.closure { throw StoreLocked() })
    #expect(error?.code == .keySourceUnreadable)
    #expect(error?.underlying is StoreLocked)
    #expect(
      error?.message
        == "The closure that provides the key failed: StoreLocked. See the underlying error.")
  }
}
