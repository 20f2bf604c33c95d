import Foundation
import ObjectVaultCondition
import ObjectVaultCore
import ObjectVaultDriver
import ObjectVaultFile
import ObjectVaultKeys
import ObjectVaultModel
import Testing
import TestSupport

/// Sealed values as another implementation reads and writes them, which was made from
/// `Fixtures/SEALING.md` alone.
@Suite("Sealed values and an implementation in Python")
struct SealedValueInPythonTests {
  private let folder: TemporaryFolder
  private static let script = "Fixtures/sealing/sealed_values.py"

  init() throws { folder = try TemporaryFolder() }

  struct Form: Codable {
    struct Value: Codable {
      var integer: Int64?
      var real: String?
      var text: String?
      var blob: String?

      var stored: StoredValue {
        if let integer { return .integer(integer) }
        if let real { return .real(Double(bitPattern: UInt64(real, radix: 16) ?? 0)) }
        return text.map { .text($0) } ?? .blob([UInt8](hex: blob ?? ""))
      }
    }

    struct Entry: Codable {
      var table: String
      var column: String
      var objectID: [Value]
      var findable: Bool
      /// The erasable key of the value, if it needs one.
      var key: String?
      var sealed: String?
      var value: Value?
      var index: String?

      var place: SealedColumn {
        SealedColumn(
          table: table, column: column, isFindable: findable, isErasable: key != nil)
      }

      /// Returns the encryption of the value.
      func sealer(_ sealer: VaultSealer) -> VaultSealer {
        key.map { sealer.erasable(by: SharedSecret(Secret(copying: [UInt8](hex: $0)))) } ?? sealer
      }
      var id: [[UInt8]] { objectID.map { SealedEncoding.bytes(of: $0.stored) } }
    }

    var keys: [String: String]
    var values: [Entry]
    var codes: [String: String]?

    func sealer() throws -> VaultSealer {
      let keys = try self.keys.sorted { UInt32($0.key) ?? 0 < UInt32($1.key) ?? 0 }
        .reduce(SealingKeys?.none) { keys, entry in
          let (number, bytes) = (UInt32(entry.key) ?? 0, [UInt8](hex: entry.value))
          guard let keys else { return try SealingKeys(Secret(copying: bytes), number: number) }
          return try keys.adding(Secret(copying: bytes), number: number)
        }
      return try VaultSealer(try #require(keys), path: "vectors")
    }
  }

  private var vectors: URL {
    PythonProgram.root.appendingPathComponent("Fixtures/sealing/vectors.json")
  }

  @Test("The vectors open here", .covers("E10"))
  func here() throws {
    let form = try JSONDecoder().decode(Form.self, from: Data(contentsOf: vectors))
    let vault = try form.sealer()
    for entry in form.values {
      let sealer = entry.sealer(vault)
      let bytes = [UInt8](hex: entry.sealed ?? "")
      let opened = try sealer.opened(bytes, in: entry.place, of: entry.id)
      #expect(SealedEncoding.value(opened) == entry.value?.stored)
      #expect(entry.findable == (entry.index != nil))
      if let index = entry.index {
        #expect(SQL.hexadecimal(try sealer.index(of: opened, in: entry.place)) == index)
      }
      var other = entry
      other.column += "x"
      #expect(throws: VaultError.self) {
        try sealer.opened(bytes, in: other.place, of: entry.id)
      }
      #expect(throws: VaultError.self) {
        try sealer.opened(bytes, in: entry.place, of: entry.id + entry.id)
      }
    }
    for (number, code) in try vault.codes() { #expect(form.codes?["\(number)"] == code) }
  }

  @Test("The vectors, and values that are sealed here, open there", .covers("E10"))
  func there() throws {
    let given = try PythonProgram.run(Self.script, [vectors.path])
    #expect(given.output == (try String(contentsOf: vectors, encoding: .utf8)))
    var form = try JSONDecoder().decode(Form.self, from: Data(contentsOf: vectors))
    let values = form.values.map { $0.value?.stored }
    let vault = try form.sealer()
    for index in form.values.indices {
      let entry = form.values[index]
      let sealer = entry.sealer(vault)
      form.values[index].sealed = SQL.hexadecimal(
        try sealer.sealed(
          SealedEncoding.bytes(of: try #require(entry.value?.stored)), in: entry.place,
          of: entry.id))
      form.values[index].value = nil
    }
    let path = folder.file("sealed.json")
    try JSONEncoder().encode(form).write(to: URL(fileURLWithPath: path))
    let child = try PythonProgram.run(Self.script, [path])
    let opened = try JSONDecoder().decode(Form.self, from: Data(child.output.utf8))
    #expect(opened.values.map { $0.value?.stored } == values)
    form.values[0].sealed?.removeLast(2)
    form.values[0].sealed? += "00"
    try JSONEncoder().encode(form).write(to: URL(fileURLWithPath: path))
    #expect(try PythonProgram.run(Self.script, [path]).status == 1)
  }
}

extension [UInt8] {
  fileprivate init(hex digits: String) {
    let digits = Array(digits.utf8)
    self = stride(from: 0, to: digits.count, by: 2).map { position in
      UInt8(String(decoding: digits[position..<position + 2], as: UTF8.self), radix: 16) ?? 0
    }
  }
}
