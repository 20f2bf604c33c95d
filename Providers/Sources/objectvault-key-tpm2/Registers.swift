internal import CTSS2
internal import KeyProviderProgram

/// Platform configuration registers of the SHA-256 bank.
struct Registers {
  /// The numbers in ascending order, each once.
  let numbers: [UInt8]

  /// Reads the setting, such as `0,7`.
  init(_ setting: String?) throws(ProviderError) {
    guard let setting else {
      numbers = []
      return
    }
    let parts = setting.split(separator: ",", omittingEmptySubsequences: false)
    let read = parts.compactMap { UInt8($0) }
    guard read.count == parts.count, Set(read).count == read.count, read.allSatisfy({ $0 < 24 })
    else {
      throw .failed("The setting 'pcrs' has numbers from 0 to 23 with commas, such as pcrs=0,7.")
    }
    numbers = read.sorted()
  }

  /// Reads the numbers in a wrapped key.
  init(numbers: [UInt8]) throws(ProviderError) {
    guard numbers.allSatisfy({ $0 < 24 }), numbers == Set(numbers).sorted() else {
      throw .damaged
    }
    self.numbers = numbers
  }

  /// The numbers with commas.
  var description: String { numbers.map(String.init).joined(separator: ", ") }

  /// The selection of all registers.
  var selection: TPML_PCR_SELECTION { Self.selection(of: numbers) }

  /// Returns the selection of some registers.
  static func selection(of numbers: [UInt8]) -> TPML_PCR_SELECTION {
    var selection = TPML_PCR_SELECTION()
    guard !numbers.isEmpty else { return selection }
    selection.count = 1
    selection.pcrSelections.0.hash = Algorithm.sha256
    selection.pcrSelections.0.sizeofSelect = 3
    withUnsafeMutableBytes(of: &selection.pcrSelections.0.pcrSelect) { bits in
      for number in numbers { bits[Int(number) / 8] |= 1 << (number % 8) }
    }
    return selection
  }
}
