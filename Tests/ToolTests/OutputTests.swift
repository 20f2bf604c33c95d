import ObjectVaultConformance
import ObjectVaultCore
import ObjectVaultTool
import ObjectVaultTerminal
import Testing

/// What stands behind the output, where a process would be too coarse.
@Suite("The tool's text") struct OutputTests {
  private final class Memory: ByteOutput {
    var text = ""
    func write(_ bytes: [UInt8]) { text += String(decoding: bytes, as: UTF8.self) }
  }

  @Test("width counts what a terminal shows")
  func width() {
    #expect(DisplayWidth.of("abc") == 3)
    #expect(DisplayWidth.of("é") == 1)
    #expect(DisplayWidth.of("e\u{301}") == 1)
    #expect(DisplayWidth.of("東京") == 4)
    #expect(DisplayWidth.of("🇸🇪") == 2)
    #expect(DisplayWidth.of("👩‍👩‍👧") == 2)
    #expect(DisplayWidth.cut("東京都", to: 5) == "東京…")
    #expect(DisplayWidth.cut("東京都", to: 4) == "東…")
    #expect(DisplayWidth.cut("abc", to: 3) == "abc")
    #expect(DisplayWidth.cut("abc", to: 0) == "")
  }

  @Test("a table keeps the widths of its first rows, and cuts what comes later")
  func longTable() throws {
    let memory = Memory()
    let table = TextTable([.init(title: "a", alignment: .left)], to: memory, lineWidth: nil)
    for _ in 0..<500 { try table.add(["xx"]) }
    try table.add(["longer"])
    try table.finish()
    #expect(memory.text.hasPrefix("a\n--\nxx\n"))
    #expect(memory.text.hasSuffix("\nl…\n"))
  }

  @Test("A long cell is cut to the widest column, before and after the widths are known")
  func longCells() throws {
    for title in ["a", String(repeating: "t", count: 70)] {
      let memory = Memory()
      let table = TextTable([.init(title: title, alignment: .left)], to: memory, lineWidth: nil)
      let cells = [
        String(repeating: "x", count: 71), String(repeating: "東", count: 70),
        String(repeating: "\u{1B}", count: 200), String(repeating: "x", count: 60),
      ]
      for cell in cells { try table.add([cell]) }
      for _ in 0..<500 { try table.add(["x"]) }
      for cell in cells { try table.add([cell]) }
      try table.finish()
      let lines = memory.text.split(separator: "\n")
      let width = max(60, title.count)
      let expected = cells.map { DisplayWidth.cut(PrintableText.escaped($0), to: width) }
      #expect(lines[2..<6].map(String.init) == expected)
      #expect(lines.suffix(4).map(String.init) == expected)
      #expect(expected.prefix(3).allSatisfy { $0.hasSuffix("…") })
    }
  }

  @Test("marks that turn the direction of text are escaped, joined emoji are not")
  func escapes() {
    #expect(PrintableText.escaped("a\u{202E}b\u{7F}\u{9B}") == "a\\u{202E}b\\u{7F}\\u{9B}")
    #expect(PrintableText.escaped("👩‍👧 é") == "👩‍👧 é")
    #expect(PrintableText.escaped("\r\n\t") == "\\r\\n\\t")
    #expect(PrintableText.escapedLines("a\u{1B}\n\nb\t\n") == "a\\u{1B}\n\nb\\t\n")
  }

  @Test("dates are ISO 8601 from year 0 to 9999, to the microsecond")
  func dates() {
    #expect(ISODate.text(0) == "1970-01-01T00:00:00Z")
    #expect(ISODate.text(-0.000001) == "1969-12-31T23:59:59.999999Z")
    #expect(ISODate.text(951_782_400.5) == "2000-02-29T00:00:00.5Z")
    #expect(ISODate.text(-2_203_891_200) == "1900-03-01T00:00:00Z")
    #expect(ISODate.text(-62_167_219_200) == "0000-01-01T00:00:00Z")
    #expect(ISODate.text(253_402_300_799) == "9999-12-31T23:59:59Z")
    #expect(ISODate.text(253_402_300_800) == nil)
    #expect(ISODate.text(.infinity) == nil)
  }

  @Test("numbers in text are those of JSON")
  func numbers() {
    for text in ["0", "-0", "12", "-12"] { #expect(NumberText(text)?.isInteger == true) }
    for text in ["0.5", "1e5", "-1.5E-3"] { #expect(NumberText(text)?.isInteger == false) }
    for text in ["", "-", "01", "+1", ".5", "5.", "1e", "0x1", "1 ", "١", "inf", "nan", "--1"] {
      #expect(NumberText(text) == nil, "\(text)")
    }
  }
}
