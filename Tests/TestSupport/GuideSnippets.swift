internal import Foundation

/// The Swift code of a guide.
package enum GuideSnippets {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the lines of a guide's Swift code that are missing in a test's source.
  ///
  /// White space and comments are ignored.
  package static func missing(_ guide: String, in source: String) throws -> [String] {
    let source = try String(contentsOfFile: source, encoding: .utf8).split(separator: "\n")
      .map { compact($0) }.joined()
    return try lines(of: guide).filter { line in
      let line = compact(line)
      return !line.isEmpty && !source.contains(line)
    }.map { String($0) }
  }

  /// Returns the lines of a guide's Swift code that are missing in all of the tests' sources.
  ///
  /// The paths of the sources are relative to the root of the project.
  package static func missing(_ guide: String, inAnyOf sources: [String]) throws -> [String] {
    try sources.map { Set(try missing(guide, in: root.appendingPathComponent($0).path)) }
      .reduce(nil) { all, next in all?.intersection(next) ?? next }?.sorted() ?? []
  }

  /// Returns the lines of a guide's Swift code.
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

  /// The lines of a package manifest that the README shows.
  package static let manifest: Set<String> = [
    #"dependencies: [.package(name: "ObjectVault", path: "../ObjectVault")],"#,
    #"    name: "school", dependencies: [.product(name: "ObjectVault", package: "ObjectVault")])"#,
    "platforms: [.macOS(.v15)],", "targets: [", "  .executableTarget(",
  ]
}
