import Foundation
import ObjectVaultCore
import ObjectVaultEngine
import TestSupport
import Testing

@testable import ObjectVaultMaintenance

/// How a file of these tests is written: in clear, or encrypted in a format.
enum FileForm: Sendable, Hashable, CustomTestStringConvertible {
  case clear(pageSize: Int = 4096)
  case encrypted(format: Int? = nil, pageSize: Int = 4096)

  var testDescription: String {
    switch self {
    case .clear(let pageSize): "in clear, pages of \(pageSize)"
    case .encrypted(let format, let pageSize):
      "format \(format.map(String.init) ?? "native"), pages of \(pageSize)"
    }
  }

  var pageSize: Int {
    switch self {
    case .clear(let pageSize): pageSize
    case .encrypted(_, let pageSize): pageSize
    }
  }

  var isClear: Bool {
    if case .clear = self { true } else { false }
  }

  /// Opens a file in this form; it is made where there is none.
  func open(_ path: String) throws -> Connection {
    switch self {
    case .clear(let pageSize):
      let connection = try Connection.plain(path: path, mode: .create)
      if try connection.fileSize == 0 {
        try connection.setPragma("page_size", to: "\(pageSize)", expecting: "\(pageSize)")
      }
      return connection
    case .encrypted(let format, let pageSize):
      let newest = try Engine.prove().newestCipherFormat
      let key = "x'" + String(repeating: "5a", count: 32) + "'"
      return try Array(key.utf8).withUnsafeBytes { key in
        try Connection(
          path: path, mode: .create, key: key,
          cipher: CipherSettings(format: format ?? newest, pageSize: pageSize))
      }
    }
  }
}

extension Connection {
  /// The rows of a query, each as the text of its values and their storage classes.
  func rows(_ sql: String) throws -> [String] {
    let statement = try prepare(sql, persistent: false)
    var rows: [String] = []
    while try statement.step() {
      let row = statement.row
      rows.append(
        (0..<row.columnCount).map { position in
          let storage = row.storage(at: position)
          let value =
            storage == .blob
            ? row.withBytes(at: position) { $0.map { String($0, radix: 16) }.joined() }
            : row.text(at: position) ?? "NULL"
          return "\(storage) \(value)"
        }.joined(separator: ", "))
    }
    return rows
  }
}

/// Copies all rows of a file into a new one, compares both, and gives the rows that a query has in
/// the new one.
@discardableResult
func copyRows(
  _ source: Connection, to path: String, as form: FileForm, asking query: String? = nil
) throws -> [String] {
  let made = try form.open(path)
  try RowCopy(from: source, to: made).run { _, _ in }
  try made.close()
  let copy = try form.open(path)
  #expect(try copy.integrityProblems() == source.integrityProblems())
  let pageSize = try form.isClear ? source.pragma("page_size") : "\(form.pageSize)"
  #expect(try copy.pragma("page_size") == pageSize)
  try ContentComparison(original: source, copy: copy, meantToDiffer: ["page_size"])
    .check()
  let rows = try query.map { try copy.rows($0) } ?? []
  try copy.close()
  return rows
}

/// The error a call throws as one of the engine or of the library.
func thrown<E: Error>(_ type: E.Type = VaultError.self, _ body: () throws -> Void) -> E? {
  do {
    try body()
    return nil
  } catch {
    return error as? E
  }
}
