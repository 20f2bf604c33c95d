import ObjectVaultCore

/// A run of consecutive, similar bad pages, for one line of a report.
struct PageRange {
  let first: VerificationReport.BadPage
  private(set) var last: Int

  var isOne: Bool { first.number == last }

  /// The title, such as `page 9` or `pages 489-1000`.
  var title: String { isOne ? "page \(last)" : "pages \(first.number)-\(last)" }

  /// Returns the pages with each run of similar ones as one range.
  ///
  /// - Parameters:
  ///   - pages: The pages in ascending order of their numbers.
  ///   - areAlike: Whether two pages can be in one range.
  /// - Returns: The ranges in ascending order.
  static func folded(
    _ pages: [VerificationReport.BadPage],
    areAlike: (VerificationReport.BadPage, VerificationReport.BadPage) -> Bool
  ) -> [PageRange] {
    var ranges: [PageRange] = []
    for page in pages {
      if let range = ranges.last, range.last + 1 == page.number, areAlike(range.first, page) {
        ranges[ranges.count - 1].last = page.number
      } else {
        ranges.append(PageRange(first: page, last: page.number))
      }
    }
    return ranges
  }
}

extension [Int] {
  /// The numbers in ascending order, with each run of consecutive numbers as `489-1000`.
  var foldedText: String {
    var runs: [ClosedRange<Int>] = []
    for number in Set(self).sorted() {
      if let run = runs.last, run.upperBound + 1 == number {
        runs[runs.count - 1] = run.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ", ")
  }
}
