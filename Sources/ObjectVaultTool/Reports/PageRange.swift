import ObjectVaultCore

/// Bad pages in a row that are alike, for a report of one line.
struct PageRange {
  let first: VerificationReport.BadPage
  private(set) var last: Int

  var isOne: Bool { first.number == last }

  /// `page 9`, or `pages 489-1000`.
  var title: String { isOne ? "page \(last)" : "pages \(first.number)-\(last)" }

  /// Returns the pages with each run of alike ones as one range.
  ///
  /// - Parameters:
  ///   - pages: The pages in the order of their numbers.
  ///   - areAlike: Whether two pages may be in one range.
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
  /// The numbers in order, with each run of consecutive ones as `489-1000`.
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
