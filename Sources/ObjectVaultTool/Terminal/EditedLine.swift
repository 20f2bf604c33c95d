/// A line of text that is being typed, with a cursor between two characters.
struct EditedLine: Equatable {
  private(set) var characters: [Character] = []
  /// The number of characters before the cursor.
  private(set) var cursor = 0

  var text: String { String(characters) }

  init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  /// The distance of a cursor movement or a removal.
  enum Movement {
    case character, word, line
  }

  enum Direction {
    case left, right
  }

  /// Inserts text at the cursor.
  ///
  /// A combining mark becomes part of the character before it.
  mutating func insert(_ text: String) {
    let before = Array(String(characters[..<cursor]) + text)
    characters = before + characters[cursor...]
    cursor = before.count
  }

  mutating func move(_ direction: Direction, by movement: Movement) {
    cursor = target(direction, movement)
  }

  /// Removes the text between the cursor and the target of a movement, and returns it.
  @discardableResult
  mutating func remove(_ direction: Direction, by movement: Movement) -> String {
    let target = target(direction, movement)
    let range = min(cursor, target)..<max(cursor, target)
    let removed = String(characters[range])
    characters.removeSubrange(range)
    cursor = range.lowerBound
    return removed
  }

  private func target(_ direction: Direction, _ movement: Movement) -> Int {
    switch (direction, movement) {
    case (.left, .character): max(0, cursor - 1)
    case (.right, .character): min(characters.count, cursor + 1)
    case (.left, .line): 0
    case (.right, .line): characters.count
    case (.left, .word): startOfWord
    case (.right, .word): endOfWord
    }
  }

  private static func isInWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  private var startOfWord: Int {
    var place = cursor
    while place > 0, !Self.isInWord(characters[place - 1]) { place -= 1 }
    while place > 0, Self.isInWord(characters[place - 1]) { place -= 1 }
    return place
  }

  private var endOfWord: Int {
    var place = cursor
    while place < characters.count, !Self.isInWord(characters[place]) { place += 1 }
    while place < characters.count, Self.isInWord(characters[place]) { place += 1 }
    return place
  }
}
