import ObjectVaultSchema

/// A statement with the parameters of PostgreSQL: `$1` instead of `?1` or `?`.
final class ParameterText {
  /// The text.
  private(set) var text = ""
  /// The greatest number of a parameter.
  private(set) var count = 0
  /// The effect of the statement on the transaction.
  let transaction: TransactionCommand
  /// Whether the statement inserts rows.
  let inserts: Bool
  /// Whether the statement deletes rows.
  private let deletes: Bool
  /// Whether the statement changes rows.
  let writes: Bool
  /// Whether the statement changes tables or indexes that other connections see.
  let definesSchema: Bool
  /// Whether the statement reads objects in an order and without a limit.
  let mayReturnManyRows: Bool
  /// Whether the statement reads the schema or the descriptions of classes, which other connections
  /// cannot change for a transaction.
  let readsSchema: Bool
  /// Whether the statement can change what another one reads of the schema.
  let changesSchema: Bool
  /// The table whose rows the statement changes, with its quotes; `nil` if its name is not quoted, and
  /// for a statement that begins otherwise.
  let table: String?
  /// The numbers of the parameters in the order of `$1`, `$2` in the text, which uses each number.
  private(set) var numbers: [Int] = []

  /// Rewrites the parameters of a statement outside of texts, quoted names and comments.
  ///
  /// - Parameter sql: The statement, whose parameters are `?N`, `?` or `$N`. A `?` is the parameter
  ///   after the greatest one so far. The server needs the type of each number up to the greatest
  ///   one, so the parameters are numbered again.
  init(_ sql: String) {
    var rest = Array(sql.utf8)[...]
    var bytes: [UInt8] = []
    // The words outside of texts, quoted names and comments.
    var words: [UInt8] = []
    var places: [Int: Int] = [:]
    bytes.reserveCapacity(rest.count)
    func take(through end: [UInt8]) {
      while !rest.isEmpty {
        if rest.starts(with: end) {
          bytes += end
          rest = rest.dropFirst(end.count)
          return
        }
        bytes.append(rest.removeFirst())
      }
    }
    while let byte = rest.first {
      rest = rest.dropFirst()
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        bytes.append(byte)
        take(through: [byte])
      case UInt8(ascii: "-") where rest.first == byte:
        bytes.append(byte)
        take(through: [UInt8(ascii: "\n")])
      case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"):
        bytes.append(byte)
        take(through: Array("*/".utf8))
      case UInt8(ascii: "?"), UInt8(ascii: "$"):
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard byte == UInt8(ascii: "?") || !digits.isEmpty else {
          bytes.append(byte)
          continue
        }
        rest = rest.dropFirst(digits.count)
        let number = Int(String(decoding: digits, as: UTF8.self)) ?? count + 1
        count = max(count, number)
        let place = places[number] ?? numbers.count + 1
        if place > numbers.count {
          numbers.append(number)
          places[number] = place
        }
        bytes += Array("$\(place)".utf8)
      default:
        bytes.append(byte)
        words.append(byte)
      }
    }
    text = String(decoding: bytes, as: UTF8.self)
    isInOrder = numbers == Array(1..<numbers.count + 1) && count == numbers.count
    let lowercased = String(decoding: words, as: UTF8.self).lowercased()
    let verb = lowercased.drop { $0.isWhitespace || $0 == "(" }.prefix { $0.isLetter }
    transaction = TransactionCommand(lowercased, verb)
    inserts = verb == "insert"
    table = Self.table(in: text)
    deletes = verb == "delete" || verb == "with" && lowercased.contains("delete from")
    writes =
      deletes || inserts || verb == "update"
      || verb == "with" && ["insert into", "update "].contains(where: lowercased.contains)
    let usesClasses = lowercased.contains(" objectvault_classes ")
    readsSchema = verb == "select" && (usesClasses || lowercased.contains("pg_catalog.pg_class"))
    changesSchema =
      usesClasses && verb != "select"
      || !["select", "insert", "update", "delete", "savepoint", "release"].contains(verb)
    // The rows that a transaction may read again are kept, so they must all be there.
    mayReturnManyRows =
      verb == "select" && !readsSchema && lowercased.contains(" order by ")
      && !lowercased.contains(" limit ") && !lowercased.contains("pg_catalog.")
    let start = text.prefix { $0 != "\"" }.lowercased()
    definesSchema =
      ["create", "alter", "drop"].contains(verb)
      && ["table", "index"].contains(where: start.contains)
      && !start.contains("temporary") && !start.contains("objectvault")
  }

  /// Returns the text of a statement that fails after a change of the schema.
  ///
  /// The server never runs the query before it, but rejects the statement if its function is missing:
  /// each version of the schema has another function. An upgrade keeps the table locked until its
  /// commit, and the server must wait for that before it looks for the function. So the table comes
  /// first, with a lock that the upgrade excludes.
  ///
  /// - Parameter version: The version of the schema; `nil` for a statement that need not fail.
  /// - Returns: The text.
  func text(forVersion version: Int64?) -> String {
    guard let version, let table else { return text }
    let mark = ServerFunctions.schemaMark(version)
    return "WITH ov_guard AS (SELECT \(mark)() FROM \(table) FOR KEY SHARE) \(text)"
  }

  /// Returns the table whose rows a statement changes, with its quotes; `nil` if its name is not
  /// quoted, and for a statement that begins otherwise.
  private static func table(in text: String) -> String? {
    let verbs = ["INSERT INTO \"", "UPDATE \"", "DELETE FROM \""]
    guard let verb = verbs.first(where: text.hasPrefix) else { return nil }
    let start = text.index(text.startIndex, offsetBy: verb.count - 1)
    var end = text.index(after: start)
    while let next = text[end...].firstIndex(of: "\"") {
      end = text.index(after: next)
      // A doubled quote is one of the name.
      if end == text.endIndex || text[end] != "\"" { return String(text[start..<end]) }
      end = text.index(after: end)
    }
    return nil
  }

  /// Whether the parameters have their numbers, from 1 to ``count``.
  let isInOrder: Bool

  /// Whether the statement ends a transaction and stores it.
  var commits: Bool { if case .commit = transaction { true } else { false } }

  /// Whether the statement begins or ends a transaction or a part of one.
  var endsOrBegins: Bool { if case .none = transaction { false } else { true } }

  /// The tables that the statement may change, in lower case; empty if it changes none.
  ///
  /// A server does not report what foreign keys change when rows are deleted, so a deletion may
  /// change any table.
  var writtenTables: [String] {
    guard writes else { return [] }
    if deletes { return [Schema.table] }
    // The parts of a name with quotes are names of their own in ``quotedNames``.
    guard let name = table?.utf8.dropFirst().dropLast(), !name.contains(UInt8(ascii: "\"")) else {
      return quotedNames.sorted()
    }
    return [String(Substring(name)).lowercased()]
  }

  /// The quoted names in the text, in lower case.
  ///
  /// They include the table of every statement of the library, and the columns.
  var quotedNames: Set<String> {
    var names: Set<String> = []
    let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
    for index in stride(from: 1, to: parts.count, by: 2) { names.insert(parts[index].lowercased()) }
    return names
  }
}

/// The effect of a statement on the transaction of a connection.
enum TransactionCommand: Equatable {
  case none, begin, savepoint, release, commit, rollback
  /// The rollback to a savepoint, with the command that made it.
  case rollbackTo(String)

  fileprivate init(_ lowercased: String, _ verb: Substring) {
    switch verb {
    case "begin": self = .begin
    case "savepoint": self = .savepoint
    case "release": self = .release
    case "commit": self = .commit
    case "rollback":
      let start = "rollback to "
      self =
        lowercased.hasPrefix(start)
        ? .rollbackTo("SAVEPOINT \(lowercased.dropFirst(start.count))") : .rollback
    default: self = .none
    }
  }
}
