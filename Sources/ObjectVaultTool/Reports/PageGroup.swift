import ObjectVaultCore

/// Similar bad pages, for one line of a report.
struct PageGroup {
  let first: VerificationReport.BadPage
  private var numbers: [Int]

  var isOne: Bool { numbers.count == 1 }

  /// The title, such as `page 9` or `pages 489-1000, 1004`.
  var title: String { "\(isOne ? "page" : "pages") \(numbers.foldedText)" }

  /// Returns the pages with similar ones in one group, wherever they are in the file.
  ///
  /// - Parameters:
  ///   - pages: The pages in ascending order of their numbers.
  ///   - areAlike: Whether two pages can be in one group.
  /// - Returns: The groups in ascending order of their first pages.
  static func grouped(
    _ pages: [VerificationReport.BadPage],
    areAlike: (VerificationReport.BadPage, VerificationReport.BadPage) -> Bool
  ) -> [PageGroup] {
    var groups: [PageGroup] = []
    for page in pages {
      if let group = groups.lastIndex(where: { areAlike($0.first, page) }) {
        groups[group].numbers.append(page.number)
      } else {
        groups.append(PageGroup(first: page, numbers: [page.number]))
      }
    }
    return groups
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
