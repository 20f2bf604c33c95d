/// A command of the inspector, which is one line of input.
enum InspectorCommand: Equatable {
  case help, classes, next, previous, back, count, explain, quit
  case list(className: String, condition: String?)
  case filter(String?)
  case search(String?)
  case sort(String?)
  case page(Int)
  case size(Int)
  case show(Int)
  case follow(Int, String)

  /// The commands as `help` shows them.
  static let summary = """
    classes                 list the classes of the vault
    list CLASS [CONDITION]  list the objects of a class, page by page
    where [CONDITION]       list only objects that match a condition; without one, all
    search [TERMS]          list only objects that contain the terms
    sort [NAME,-NAME[c]]    change the order
    next, previous, page N  go to another page
    size N                  set the number of objects on a page
    show N                  show object N of the page in full, with its associations
    follow N NAME           list the objects of an association that 'show' names
    back                    go back to the previous list
    count, explain          count the objects; explain how the query runs
    help, quit

    Put a name with spaces in quotes. Conditions are those of 'query'.

    """

  /// Creates a command from a line, or returns `nil` for an empty line.
  ///
  /// - Parameter line: The line.
  /// - Throws: ``ToolError`` `.usage` if the line is not a command.
  init?(_ line: String) throws {
    var words = InspectorWords(line)
    guard let verb = try words.next() else { return nil }
    switch verb.lowercased() {
    case "help", "?": self = .help
    case "classes": self = .classes
    case "next", "n": self = .next
    case "previous", "p": self = .previous
    case "back", "b": self = .back
    case "count": self = .count
    case "explain": self = .explain
    case "quit", "exit", "q": self = .quit
    case "list", "l":
      let name = try words.required("the name of a class; 'classes' lists them")
      self = .list(className: name, condition: words.takeRest())
    case "where": self = .filter(words.takeRest())
    case "search": self = .search(words.takeRest())
    case "sort": self = .sort(words.takeRest())
    case "page": self = .page(try words.number("the number of a page"))
    case "size": self = .size(try words.number("the number of objects on a page"))
    case "show", "s": self = .show(try words.number("the number of an object on the page"))
    case "follow", "f":
      let number = try words.number("the number of an object on the page")
      self = .follow(number, try words.required("the name of an association that 'show' names"))
    default:
      throw ToolError(.usage, "'\(verb)' is not a command. 'help' lists the commands.")
    }
    if let more = words.takeRest() {
      throw ToolError(.usage, "'\(verb)' does not accept '\(more)'. 'help' shows its arguments.")
    }
  }
}

/// The words of a line, separated by spaces or enclosed in quotes.
private struct InspectorWords {
  private var rest: Substring

  init(_ line: String) { rest = line.drop { $0.isWhitespace } }

  /// Returns the next word without its quotes, or `nil` at the end.
  ///
  /// - Throws: ``ToolError`` `.usage` if a quote is not closed.
  mutating func next() throws -> String? {
    guard let first = rest.first else { return nil }
    let word: Substring
    if first == "'" || first == "\"" {
      let content = rest.dropFirst()
      guard let end = content.firstIndex(of: first) else {
        throw ToolError(.usage, "The closing quote (\(first)) is missing. Add it.")
      }
      word = content[..<end]
      rest = content[content.index(after: end)...]
    } else {
      word = rest.prefix { !$0.isWhitespace }
      rest = rest[word.endIndex...]
    }
    rest = rest.drop { $0.isWhitespace }
    return String(word)
  }

  mutating func required(_ what: String) throws -> String {
    guard let word = try next() else { throw ToolError(.usage, "The command needs \(what).") }
    return word
  }

  mutating func number(_ what: String) throws -> Int {
    let word = try required(what)
    guard let number = Int(word), number >= 1 else {
      throw ToolError(.usage, "'\(word)' is not \(what), which is 1 or more.")
    }
    return number
  }

  /// Returns the rest of the line, or `nil` if it is empty.
  mutating func takeRest() -> String? {
    defer { rest = "" }
    var text = rest
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.isEmpty ? nil : String(text)
  }
}
