internal import ObjectVaultCore

/// The texts of the model-based test, and the expected results of searches in them.
struct ModelText {
  /// The words in their written form and as terms of the full-text index.
  private static let words = [
    ("old", "old"), ("sea", "sea"), ("Whale", "whale"), ("whaler", "whaler"),
    ("captain", "captain"),
    ("Été", "ete"), ("night", "night"), ("nightfall", "nightfall"), ("CALM", "calm"),
    ("plan", "plan"),
  ]

  /// Returns a text of some words.
  static func random(_ random: inout SeededGenerator) -> String {
    let separators = [" ", " ", ", ", "-", " '"]
    return (0..<Int.random(in: 0...6, using: &random)).reduce(into: "") { text, place in
      if place > 0 { text += random.pick(separators) }
      text += random.pick(words).0
    }
  }

  /// Returns the terms of a text in order.
  private static func terms(_ text: String) -> [String] {
    text.split { !$0.isLetter }.compactMap { word in words.first { $0.0 == word }?.1 }
  }

  /// A search, with a check whether it finds an object with the given texts.
  struct Search {
    var text: String
    var finds: ([String]) -> Bool
  }

  /// Returns a search with one or two parts.
  static func search(_ random: inout SeededGenerator) -> Search {
    let first = part(&random)
    guard random.oneIn(2) else { return first }
    let second = part(&random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      return Search(text: "\(first.text) \(second.text)") { first.finds($0) && second.finds($0) }
    case 1:
      return Search(text: "\(first.text) OR \(second.text)") { first.finds($0) || second.finds($0) }
    default:
      return Search(text: "\(first.text) NOT \(second.text)") {
        first.finds($0) && !second.finds($0)
      }
    }
  }

  private static func part(_ random: inout SeededGenerator) -> Search {
    let word = random.pick(words)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      return Search(text: word.0) { $0.contains { terms($0).contains(word.1) } }
    case 1:
      let start = String(word.1.prefix(3))
      return Search(text: "\(start)*") { texts in
        texts.contains { terms($0).contains { $0.hasPrefix(start) } }
      }
    default:
      let next = random.pick(words)
      return Search(text: "\"\(word.0) \(next.0)\"") { texts in
        texts.contains { text in
          let terms = terms(text)
          return zip(terms, terms.dropFirst()).contains { $0 == word.1 && $1 == next.1 }
        }
      }
    }
  }
}
