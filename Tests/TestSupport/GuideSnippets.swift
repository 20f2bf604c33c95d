internal import Foundation

/// The Swift of a guide, as it stands there.
package enum GuideSnippets {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The lines of a guide's Swift that do not stand in the source of a test, which is to hold all of
  /// them; white space and comments do not count.
  package static func missing(_ guide: String, in source: String) throws -> [String] {
    let source = try String(contentsOfFile: source, encoding: .utf8).split(separator: "\n")
      .map { compact($0) }.joined()
    return try lines(of: guide).filter { line in
      let line = compact(line)
      return !line.isEmpty && !source.contains(line)
    }.map { String($0) }
  }

  /// The lines of a guide's Swift that stand in none of the tests' sources, which are named from the
  /// root of the project and hold all of them together.
  package static func missing(_ guide: String, inAnyOf sources: [String]) throws -> [String] {
    try sources.map { Set(try missing(guide, in: root.appendingPathComponent($0).path)) }
      .reduce(nil) { all, next in all?.intersection(next) ?? next }?.sorted() ?? []
  }

  /// The lines of a guide's Swift.
  package static func lines(of guide: String) throws -> [Substring] {
    let text = try String(contentsOf: root.appendingPathComponent(guide), encoding: .utf8)
    var lines: [Substring] = []
    var isInside = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        isInside = line == "```swift"
      } else if isInside {
        lines.append(line)
      }
    }
    return lines
  }

  private static func compact(_ line: Substring) -> String {
    let end = line.range(of: " //")?.lowerBound ?? line.endIndex
    return line.hasPrefix("//") ? "" : line[..<end].filter { !$0.isWhitespace }
  }

  /// The lines of a package's manifest that the README shows.
  package static let manifest: Set<String> = [
    #"dependencies: [.package(name: "ObjectVault", path: "../ObjectVault")],"#,
    #"    name: "school", dependencies: [.product(name: "ObjectVault", package: "ObjectVault")])"#,
    "targets: [", "  .executableTarget(",
  ]
}
