import Foundation
@testable import ObjectVaultConformance
import ObjectVaultConformanceFormat
import ObjectVaultTerminal
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("The report of a run") struct ReportTests {
  @Test("as a table: a line for each folder, each failure, what is not supported, the totals")
  func table() {
    #expect(
      SampleRun.summary.report(as: .table) == #"""
        folder      passed  failed  not supported  other engine  seconds
        .                1       0              0             0     0.25
        batch            1       0              0             0     0.01
        conditions       0       1              0             0     1.50
        rekey            0       0              1             1     0.00

        FAILED  conditions/text.yaml: a < b & "c" # not a directive \
          conditions/text.yaml:31: step 2, query
            expected  [1, 2, 3]
            actual    [1, 4, 3]
                          ^
          conditions/text.yaml:40: after: withoutPlaintext
            expected  no 'a\u{0}\u{1B}[31m]]>\n'
            actual    é\#u{FFFF}😀\r\t
                      ^

        Not supported by ObjectVault 0.2.0:
          rekey
            rekey/rekey.yaml: under a new key

        5 cases: 2 passed, 1 failed, 1 not supported, 1 for another engine; 1.63 s, ObjectVault 0.2.0 on SQLCipher 3.4.1

        """#)
  }

  @Test("as JSON: one object, a line for each case, texts whole")
  func json() throws {
    let text = SampleRun.summary.report(as: .json)
    #expect(
      text == #"""
        {
        "format":1,
        "testee":"ObjectVault 0.2.0",
        "engine":"SQLCipher 3.4.1",
        "filtered":false,
        "seconds":1.625,
        "totals":{"cases":5,"passed":2,"failed":1,"notSupported":1,"otherEngine":1},
        "cases":[
        {"file":"batch/insert.yaml","name":"all or none","covers":["S18","S27"],"verdict":"passed","seconds":0.013},
        {"file":"conditions/text.yaml","name":"a < b & \"c\" # not a directive \\","covers":["S32"],"verdict":"failed","seconds":1.500,"discrepancies":[{"file":"conditions/text.yaml","line":31,"subject":"step 2, query","expected":"[1, 2, 3]","actual":"[1, 4, 3]"},{"file":"conditions/text.yaml","line":40,"subject":"after: withoutPlaintext","expected":"no 'a\u0000\u001b[31m]]>\n'","actual":"é\uffff😀\r\t"}]},
        {"file":"rekey/rekey.yaml","name":"under a new key","covers":["S63"],"verdict":"notSupported","seconds":0.001,"reason":"rekey"},
        {"file":"rekey/rekey.yaml","name":"to format 4","covers":[],"verdict":"otherEngine","seconds":0.000},
        {"file":"top.yaml","name":"in no folder","covers":["S1"],"verdict":"passed","seconds":0.250}
        ]
        }

        """#)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let cases = try #require(object["cases"] as? [[String: Any]])
    let discrepancies = try #require(cases[1]["discrepancies"] as? [[String: Any]])
    #expect(discrepancies[1]["expected"] as? String == "no 'a\u{0}\u{1B}[31m]]>\n'")
  }

  @Test("as JUnit's XML: a suite for each file, what was not run skipped")
  func junit() {
    #expect(
      SampleRun.summary.report(as: .junit) == #"""
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="conformance of ObjectVault 0.2.0 on SQLCipher 3.4.1" tests="5" failures="1" errors="0" skipped="2" time="1.625">
          <testsuite name="batch/insert.yaml" tests="1" failures="0" errors="0" skipped="0" time="0.013">
            <testcase classname="batch.insert" name="all or none" time="0.013"/>
          </testsuite>
          <testsuite name="conditions/text.yaml" tests="1" failures="1" errors="0" skipped="0" time="1.500">
            <testcase classname="conditions.text" name="a &lt; b &amp; &quot;c&quot; # not a directive \" time="1.500">
              <failure message="conditions/text.yaml:31: step 2, query" type="discrepancy">conditions/text.yaml:31: step 2, query
          expected  [1, 2, 3]
          actual    [1, 4, 3]
        conditions/text.yaml:40: after: withoutPlaintext
          expected  no 'a\u{0}\u{1B}[31m]]&gt;
        '
          actual    é\u{FFFF}😀&#13;	
        </failure>
            </testcase>
          </testsuite>
          <testsuite name="rekey/rekey.yaml" tests="2" failures="0" errors="0" skipped="2" time="0.001">
            <testcase classname="rekey.rekey" name="under a new key" time="0.001">
              <skipped message="not supported: rekey"/>
            </testcase>
            <testcase classname="rekey.rekey" name="to format 4" time="0.000">
              <skipped message="for another engine"/>
            </testcase>
          </testsuite>
          <testsuite name="top.yaml" tests="1" failures="0" errors="0" skipped="0" time="0.250">
            <testcase classname="top" name="in no folder" time="0.250"/>
          </testsuite>
        </testsuites>

        """#)
  }

  @Test("JUnit's XML is well-formed whatever the texts, and keeps those that XML can say")
  func xml() throws {
    let odd =
      (0..<0x300).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{FFFE}", "\u{FFFF}", "😀"]
    let text = String(String.UnicodeScalarView(odd)) + "]]><![CDATA[ &amp; --> <?x?>"
    var summary = SampleRun.summary
    summary.results = [
      SampleRun.result(
        "a/\"&<.yaml: \(text)", [],
        .failed([
          Discrepancy(
            place: SourcePlace(path: text, line: 1), subject: text, expected: text, actual: text)
        ]), 0),
      SampleRun.result("a.yaml: é\n\t\r'\"<&>", [], .notSupported(text), 0),
    ]
    let names = Names()
    let parser = XMLParser(data: Data(summary.report(as: .junit).utf8))
    parser.delegate = names
    #expect(parser.parse(), "\(parser.parserError.map { "\($0)" } ?? "")")
    #expect(names.cases.last == "é\n\t\r'\"<&>")
    #expect(names.skipped == 1)
  }

  private final class Names: NSObject, XMLParserDelegate {
    var cases: [String] = []
    var skipped = 0

    func parser(
      _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      if element == "testcase" { cases.append(attributes["name"] ?? "") }
      if element == "skipped" { skipped += 1 }
    }
  }

  @Test("as TAP: a line for each case, SKIP for what was not run and nothing else")
  func tap() {
    let text = SampleRun.summary.report(as: .tap)
    #expect(
      text == ##"""
        TAP version 14
        1..5
        ok 1 - batch/insert.yaml: all or none
        not ok 2 - conditions/text.yaml: a < b & "c" \# not a directive \\
          ---
          duration_ms: 1500.00
          discrepancies:
            - at: "conditions/text.yaml:31"
              subject: "step 2, query"
              expected: "[1, 2, 3]"
              actual: "[1, 4, 3]"
            - at: "conditions/text.yaml:40"
              subject: "after: withoutPlaintext"
              expected: "no 'a\u0000\u001b[31m]]>\n'"
              actual: "é\uffff😀\r\t"
          ...
        ok 3 - rekey/rekey.yaml: under a new key # SKIP not supported: rekey
        ok 4 - rekey/rekey.yaml: to format 4 # SKIP for another engine
        ok 5 - top.yaml: in no folder
        # ObjectVault 0.2.0 on SQLCipher 3.4.1

        """##)
  }

  @Test("a case that failed without saying why is a failure in every format")
  func unexplainedFailure() {
    var summary = SampleRun.summary
    summary.results = [SampleRun.result("a/b.yaml: c", [], .failed([]), 0)]
    #expect(summary.report(as: .table).contains("FAILED  a/b.yaml: c\n"))
    #expect(summary.report(as: .json).contains(#""verdict":"failed""#))
    #expect(summary.report(as: .junit).contains(#"<failure message="failed""#))
    #expect(summary.report(as: .tap).contains("\nnot ok 1 - a/b.yaml: c\n"))
  }

  @Test("a filtered run and one without cases say so")
  func filtered() {
    var summary = SampleRun.summary
    summary.isFiltered = true
    #expect(summary.report(as: .table).hasSuffix("on SQLCipher 3.4.1; filtered\n"))
    #expect(summary.report(as: .json).contains("\"filtered\":true"))
    summary.results = []
    #expect(summary.report(as: .table).contains("0 cases: none run; "))
    #expect(summary.report(as: .tap).hasPrefix("TAP version 14\n1..0\n#"))
  }
}

@Suite("An expected and an actual value side by side") struct ComparedTextsTests {
  @Test("short ones are whole, and the first difference is marked")
  func short() {
    let pair = ComparedTexts(expected: "name: Bo", actual: "name: Bea", width: 40)
    #expect((pair.expected, pair.actual, pair.column) == ("name: Bo", "name: Bea", 7))
  }

  @Test("one that goes on where the other ends differs there")
  func prefix() {
    #expect(ComparedTexts(expected: "ab", actual: "abc", width: 40).column == 2)
    #expect(ComparedTexts(expected: "", actual: "", width: 40).column == nil)
    #expect(ComparedTexts(expected: "same", actual: "same", width: 40).column == nil)
  }

  @Test("long ones are cut around the difference, wherever it is", arguments: [0, 1, 30, 500, 999])
  func long(place: Int) {
    var other = Array(repeating: Character("a"), count: 1000)
    other[place] = "東"
    let same = String(repeating: "a", count: 1000)
    let pair = ComparedTexts(expected: same, actual: String(other), width: 40)
    #expect(DisplayWidth.of(pair.expected) <= 40 && DisplayWidth.of(pair.actual) <= 40)
    #expect(pair.actual.contains("東"))
    let column = pair.column ?? -1
    #expect(Array(pair.actual).indices.contains(column) && Array(pair.actual)[column] == "東")
    #expect(pair.expected.hasPrefix("…") == (place > 20))
  }

  @Test("texts that look alike show their scalars")
  func lookalikes() {
    let pair = ComparedTexts(expected: "caf\u{E9}", actual: "cafe\u{301}", width: 40)
    #expect((pair.expected, pair.actual) == (#"caf\u{E9}"#, #"cafe\u{301}"#))
    #expect(pair.column == 3)
  }
}
