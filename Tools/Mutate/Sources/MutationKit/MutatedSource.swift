/// Writes mutants into source text.
public enum MutatedSource {
  /// The name of the file that is added to every mutated target.
  public static let switchFileName = "MutantSwitch.swift"

  /// Returns a file's text with every given mutant in it, each switched off.
  ///
  /// - Parameters:
  ///   - source: The text as it is in the repository.
  ///   - mutants: Mutants of this file by number; their ranges must not overlap.
  /// - Returns: The text of the mutated file.
  public static func text(of source: String, with mutants: [Int: Mutant]) -> String {
    var bytes = Array(source.utf8)
    let inReverse = mutants.sorted { $0.value.range.lowerBound > $1.value.range.lowerBound }
    for (number, mutant) in inReverse {
      bytes.replaceSubrange(mutant.range, with: Array(mutant.guarded(number: number).utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The switch that mutated code asks. It reads the environment once: `OBJECTVAULT_MUTANT` is the
  /// number of the active mutant, and `OBJECTVAULT_MUTANT_HITS` the path of a file with one byte
  /// per mutant, which becomes 1 when code with that mutant runs. The file is mapped shared, so
  /// that child processes and killed processes report as well.
  public static let switchText = """
    #if canImport(Glibc)
      internal import Glibc
    #elseif canImport(Darwin)
      internal import Darwin
    #endif

    private struct MutantState: @unchecked Sendable {
      let active: Int
      let hits: UnsafeMutablePointer<UInt8>?
      let count: Int

      init() {
        active = getenv("OBJECTVAULT_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
        guard let path = getenv("OBJECTVAULT_MUTANT_HITS") else {
          (hits, count) = (nil, 0)
          return
        }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
          (hits, count) = (nil, 0)
          return
        }
        let size = Int(status.st_size)
        let mapped = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        close(descriptor)
        let isMapped = mapped != MAP_FAILED
        hits = isMapped ? mapped?.assumingMemoryBound(to: UInt8.self) : nil
        count = isMapped ? size : 0
      }
    }

    private let mutantState = MutantState()

    @usableFromInline
    func mutantIsActive(_ number: Int) -> Bool {
      if let hits = mutantState.hits, number < mutantState.count { hits[number] = 1 }
      return mutantState.active == number
    }

    """
}
