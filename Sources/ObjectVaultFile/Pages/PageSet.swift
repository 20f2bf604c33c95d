/// A set of page numbers with one bit for each page of a file.
///
/// Pages of a damaged file may have any number, so those beyond its last page are stored apart.
package struct PageSet {
  private var words: [UInt64] = []
  private var others: Set<UInt32> = []
  private let last: UInt32

  /// Creates an empty set.
  ///
  /// - Parameter last: The last page that the file has.
  package init(upTo last: UInt32) { self.last = last }

  /// Adds a page.
  ///
  /// - Parameter page: The number of the page.
  /// - Returns: Whether the set did not contain the page.
  package mutating func insert(_ page: UInt32) -> Bool {
    guard page <= last else { return others.insert(page).inserted }
    let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    guard words[word] & bit == 0 else { return false }
    words[word] |= bit
    return true
  }

  /// Calls `body` with each page; those that the file has are in order.
  package func forEach(_ body: (UInt32) -> Void) {
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        body(UInt32(index * 64 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    others.forEach(body)
  }
}
