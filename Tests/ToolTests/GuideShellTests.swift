import Foundation
import TestSupport
import Testing

/// The control for what the tests of the guides do not find.
@Suite("A trace of the engine", .cheapSlots) struct GuideShellTests {
  #if os(Linux)
    @Test(
      "shows a key that a program gives by SQL, and its command line",
      .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlcipher"),
        "the stock shell is at /usr/bin/sqlcipher, linked to its library"))
    func control() throws {
      let folder = try TemporaryFolder()
      let log = folder.file("trace.log")
      let library = try PreloadedLibrary("SQLTracing/trace.c", as: "libtrace.so")
      _ = try CipherShell.run(
        folder.file("a.db"), ["PRAGMA key = 'words of the control';", "CREATE TABLE t(a);"],
        by: "/usr/bin/sqlcipher",
        environment: library.environmentOfStranger.merging(["TRACE_LOG": log]) { $1 })
      let trace = try Data(contentsOf: URL(fileURLWithPath: log))
      #expect(trace.holds(Data("PRAGMA key = 'words of the control'".utf8)))
      #expect(trace.holds(Data("CREATE TABLE t(a)".utf8)))
      #expect(trace.holds(Data("-batch\0\(folder.file("a.db"))".utf8)))
    }

    @Test("shows the values that the tool binds")
    func values() throws {
      let shell = try GuideShell()
      try shell.write("words of a key\n", to: "key")
      try shell.write("name\nMarker of a row\n", to: "rows.csv")
      for command in [
        "create v --key-file key", "import v Row rows.csv --key-file key",
      ] {
        let (output, code) = try shell.run("objectvault \(command)")
        #expect(code == 0, "\(output)")
      }
      let trace = try #require(try shell.trace)
      #expect(trace.holds(Data("VALUES (?1, ?2)".utf8)))
      #expect(trace.holds(Data("'Marker of a row'".utf8)))
      #expect(!trace.holds(Data("words of a key".utf8)))
    }
  #endif
}
