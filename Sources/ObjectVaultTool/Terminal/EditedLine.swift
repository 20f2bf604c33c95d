/// A line of text that is being typed, with a cursor between two of its characters.
struct EditedLine: Equatable {
  private(set) var characters: [Character] = []
  /// How many characters are before the cursor.
  private(set) var cursor = 0

  var text: String { String(characters) }

  init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  /// A step of the cursor, or the end of what is removed.
  enum Movement {
    case character, word, line
  }

  enum Direction {
    case left, right
  }

  /// Inserts text at the cursor. A mark that combines with the character before becomes part of it.
  mutating func insert(_ text: String) {
    let before = Array(String(characters[..<cursor]) + text)
    characters = before + characters[cursor...]
    cursor = before.count
  }

  mutating func move(_ direction: Direction, by movement: Movement) {
    cursor = target(direction, movement)
  }

  /// Removes what is between the cursor and where a movement would lead.
  ///
  /// - Returns: The text that was removed.
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
