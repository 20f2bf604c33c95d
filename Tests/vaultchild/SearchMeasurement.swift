internal import Foundation
internal import ObjectVaultCore
internal import TestSupport

/// Runs `measure-search [OBJECTS]`, which compares the tokenizers of full-text indexes.
///
/// For texts without an index and for each module and tokenizer of the engine, it prints the time
/// to insert the objects, the bytes of the index for each byte of text, and the time of searches.
/// Texts are about 60 words of a vocabulary in which few words are frequent.
func measureSearch(_ arguments: [String]) -> Int32 {
  guard let count = arguments.first.map({ Int($0) }) ?? 20_000, count > 0 else {
    report("usage: vaultchild measure-search [OBJECTS]")
    return 64
  }
  do {
    let texts = SearchTexts(count: count)
    try texts.measure(nil)
    for module in SearchDescription.Module.allCases {
      for tokenizer in SearchDescription.Tokenizer.allCases {
        do {
          try texts.measure(SearchDescription(["text"], module: module, tokenizer: tokenizer))
        } catch let error as VaultError where error.code == .searchUnavailable {
          print("\(module): not in this engine")
        }
      }
    }
    return 0
  } catch {
    report("\(error)")
    return 1
  }
}

private struct SearchTexts {
  private let texts: [String]
  private let bytes: Int
  /// A rare word of the vocabulary.
  private let rare: String

  init(count: Int) {
    var generator = SeededGenerator(seed: 26)
    let vowels = Array("aeiou"), consonants = Array("bcdfghjklmnprstvwz")
    let words = (0..<8_000).map { _ in
      String(
        (0..<Int.random(in: 2...9, using: &generator)).map { position in
          (position.isMultiple(of: 2) ? consonants : vowels).randomElement(using: &generator) ?? "a"
        })
    }
    rare = words.last { $0.count == 9 } ?? words[0]
    texts = (0..<count).map { _ in
      (0..<60).map { _ in
        let fraction = Double.random(in: 0..<1, using: &generator)
        return words[Int(fraction * fraction * fraction * Double(words.count))]
      }.joined(separator: " ")
    }
    bytes = texts.reduce(0) { $0 + $1.utf8.count }
  }

  func measure(_ search: SearchDescription?) throws {
    let folder = try TemporaryFolder()
    let vault = try Vault(at: folder.file("a.vault"), key: .raw(1...32))
    defer { vault.close() }
    let description = ClassDescription(
      "Page", properties: [PropertyDescription("text", type: .string)], search: search)
    let store = try vault.store(of: description)
    let objects = try texts.map { text in
      var object = try DynamicObject(of: description)
      try object.set("text", to: .text(text))
      return object
    }
    let insertion = try time { try store.insert(contentsOf: objects) }
    let name = search.map { "\($0.tokenizer) in \($0.module)" } ?? "no index"
    let index = try vault.sizeReport().entries.reduce(0) { sum, entry in
      if case .searchIndex = entry.part { sum + entry.bytes } else { sum }
    }
    print(
      String(
        format: "%@: %d objects of %d bytes, inserted in %.2f s; %.2f bytes of index per byte",
        name, texts.count, bytes / texts.count, insertion, Double(index) / Double(bytes)))
    let part = String(rare.dropFirst(2).prefix(5))
    let queries =
      search == nil
      ? [("CONTAINS[cd]", store.where("text CONTAINS[cd] %@", part))]
      : [rare, part, "\"\(rare) \(rare.prefix(2))\"*", String(part.prefix(2)), "a*"].map {
        ("\"\($0)\"", store.search($0))
      }
    for (text, query) in queries {
      var found = 0
      let seconds = try (0..<3).map { _ in try time { found = try query.count() } }.min() ?? 0
      print(String(format: "  %@: %d objects in %.2f ms", text, found, seconds * 1_000))
    }
  }

  private func time(_ body: () throws -> Void) rethrows -> Double {
    try Double(ContinuousClock().measure(body) / .nanoseconds(1)) / 1e9
  }
}
