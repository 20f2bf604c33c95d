/// The lines that differ from a commit, by file.
public enum ChangedLines {
  /// Returns the changed lines of Swift files below `Sources`.
  ///
  /// - Parameters:
  ///   - commit: The commit to compare the working tree with.
  ///   - repository: The path of the repository.
  /// - Returns: The lines, by the path of the file.
  /// - Throws: `MutationFailure` if git does not know the commit.
  public static func since(
    _ commit: String, in repository: String
  ) throws -> [String: [ClosedRange<Int>]] {
    let outcome = try Shell.run(
      ["git", "diff", "--unified=0", "--no-color", commit, "--", "Sources"], in: repository)
    guard outcome.status == 0 else { throw MutationFailure(outcome.output) }
    return parse(outcome.output)
  }

  /// Returns the lines that a unified diff without context adds or changes, by file.
  ///
  /// - Parameter diff: The output of `git diff --unified=0`.
  /// - Returns: The lines, by the path of the file.
  static func parse(_ diff: String) -> [String: [ClosedRange<Int>]] {
    var result: [String: [ClosedRange<Int>]] = [:]
    var file: String?
    for line in diff.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("+++ ") {
        file = line.hasPrefix("+++ b/") ? String(line.dropFirst(6)) : nil
      } else if line.hasPrefix("@@ "), let file, file.hasSuffix(".swift"),
        let added = line.split(separator: " ").first(where: { $0.hasPrefix("+") })
      {
        let numbers = added.dropFirst().split(separator: ",").compactMap { Int($0) }
        let count = numbers.count > 1 ? numbers[1] : 1
        if let first = numbers.first, count > 0 {
          result[file, default: []].append(first...(first + count - 1))
        }
      }
    }
    return result
  }
}
