/// The sizes of the parts of a file.
///
/// ```swift
/// let report = try vault.sizeReport()
/// for entry in report.entries { print(entry.part, entry.bytes) }
/// ```
///
/// Every byte of the file belongs to one part. Pages in a log next to the file count as they will
/// be in the file.
public struct SizeReport: Sendable, Hashable {
  /// A part of a file.
  public enum Part: Sendable, Hashable {
    /// The objects of a class, with its name, or the rows of a table that belongs to no class.
    case objects(of: String)
    /// An index, with its name and the name of its class or table.
    case index(String, of: String)
    /// The full-text index of a class, with its name.
    case searchIndex(of: String)
    /// The contents of properties that are marked `@SharedBlob`, and the counts of their uses.
    case sharedBlobs
    /// The list of tables and the records of the library.
    case catalogue
    /// Free pages, which later objects use; ``Vault/compact(progress:)-((RekeyProgress)->Void)`` removes them.
    case freeSpace
    /// Pages of no known use, in a damaged file.
    case unknown
  }

  /// A part and its size.
  public struct Entry: Sendable, Hashable {
    /// The part.
    public let part: Part
    /// The size in bytes: whole pages.
    public let bytes: Int
  }

  /// The parts, largest first.
  public let entries: [Entry]
  /// The size of a page in bytes.
  public let pageSize: Int

  /// The size of all parts in bytes.
  public var bytes: Int { entries.reduce(0) { $0 + $1.bytes } }

  /// The size of the free pages in bytes.
  public var freeBytes: Int { bytes(of: .freeSpace) }

  /// Returns the size of a part in bytes; 0 if the file has no such part.
  public func bytes(of part: Part) -> Int {
    entries.first { $0.part == part }?.bytes ?? 0
  }

  /// Returns the size of a class in bytes: its objects, its indexes and its full-text index.
  ///
  /// Shared blobs are not included, because several classes can use one.
  ///
  /// - Parameter name: The name of the class, or of a table that belongs to no class.
  /// - Returns: The size; 0 if the file has no such class.
  public func bytes(ofClass name: String) -> Int {
    entries.reduce(0) { sum, entry in
      switch entry.part {
      case .objects(name), .index(_, of: name), .searchIndex(name): sum + entry.bytes
      default: sum
      }
    }
  }
}

extension SizeReport.Part: CustomStringConvertible {
  /// The part in words, such as `'Person'` or `the index 'byAge' of 'Person'`.
  public var description: String {
    switch self {
    case .objects(let name): "'\(name)'"
    case .index(let name, let owner): "the index '\(name)' of '\(owner)'"
    case .searchIndex(let name): "the full-text index of '\(name)'"
    case .sharedBlobs: "shared blobs"
    case .catalogue: "the catalogue"
    case .freeSpace: "free space"
    case .unknown: "unknown pages"
    }
  }
}
