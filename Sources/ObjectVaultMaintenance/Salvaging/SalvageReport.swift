public import ObjectVaultFile

/// The result of salvaging a damaged file: the recovered and the lost contents.
///
/// ```swift
/// let report = try file.salvage(to: "recovered.vault")
/// for table in report.tables where !table.isWhole {
///   print(table.name, table.rowsRecovered, table.lost.count)
/// }
/// ```
public struct SalvageReport: Sendable, Hashable {
  /// The source of the tables' definitions.
  public enum Schema: Sendable, Hashable {
    /// The file's own list of tables.
    case file
    /// The descriptions of classes in the file, because the list of tables is lost.
    ///
    /// Rows that belong to no class are in tables `lost_1`, `lost_2` and so on, with columns `c0`,
    /// `c1` and so on. Values may be in other properties if version 0.2.0 or earlier added
    /// properties to a class, because it did not record the order of the columns.
    /// ``SalvageReport/notRestored`` names the tables if their rows show it.
    case classes
    /// No source: all rows are in tables `lost_1` and so on.
    case none
  }

  /// Rows that were lost completely with a page.
  public struct LostRows: Sendable, Hashable {
    /// The number of the page.
    public var page: Int
    /// The first rowid that may have been on the page, or `nil` if it is unknown.
    public var first: Int64?
    /// The last rowid that may have been on the page, or `nil` if it is unknown.
    public var last: Int64?
  }

  /// A row that was recovered without some of its values, which are now nil, or that was not
  /// recovered.
  public struct DamagedRow: Sendable, Hashable {
    /// The row's rowid, or `nil` in a table without rowids.
    public var rowID: Int64?
    /// The columns whose values were lost with a page.
    public var columns: [String]
  }

  /// The recovered contents of one table.
  public struct Table: Sendable, Hashable {
    /// The name of the class, or of a table that belongs to no class.
    public var name: String
    /// The name of the table in the new file.
    public var table: String
    /// Whether the rowids are the object IDs, or the primary key of a table that belongs to no
    /// class.
    public var rowIDsAreObjectIDs = false
    /// The number of recovered rows, including rows without some of their values.
    public var rowsRecovered = 0
    /// The rows that were lost completely.
    ///
    /// Adjacent lost pages, and so adjacent lost rows, are separate entries.
    public var lost: [LostRows] = []
    /// The rows that were recovered without some of their values.
    ///
    /// At most the first ``SalvageReport/mostNamed`` are listed.
    public var rowsWithLostValues: [DamagedRow] = []
    /// The number of rows that were recovered without some of their values.
    public var rowsWithLostValuesCount = 0
    /// The rows that could be read at least in part, but that a constraint of the table rejected.
    ///
    /// They are in ``refusedRowsTable``.
    ///
    /// At most the first ``SalvageReport/mostNamed`` are listed.
    public var refusedRows: [DamagedRow] = []
    /// The number of rows that could be read but were rejected.
    public var refusedRowsCount = 0
    /// The table with the rejected rows, such as `lost_1`, or `nil` if there is none.
    ///
    /// It has the values that could be read, in columns `c0`, `c1` and so on.
    public var refusedRowsTable: String?

    /// Whether no loss was detected in the table.
    public var isWhole: Bool {
      lost.isEmpty && rowsWithLostValuesCount == 0 && refusedRowsCount == 0
    }
  }

  /// The maximum number of rows listed per table.
  ///
  /// Further rows are only counted.
  public static let mostNamed = 1000

  /// The encryption of the damaged file, or `nil` for an unencrypted file.
  public var source: CipherInfo?
  /// The encryption of the new file.
  public var cipher: CipherInfo
  /// The number of pages of the damaged file.
  public var pageCount: Int
  /// The pages that could not be read.
  public var badPages: [VerificationReport.BadPage]
  /// The source of the tables' definitions.
  public var schema = Schema.file
  /// The recovered contents, by table.
  public var tables: [Table] = []
  /// The schema objects that could not be restored, each with the reason.
  ///
  /// These are indexes, full-text indexes, views and triggers that could not be created, tables
  /// without any recovered content, and the sequence numbers for generated object IDs if their page
  /// is lost.
  public var notRestored: [String] = []
  /// The classes or tables with references to lost rows.
  public var brokenReferences: [String] = []

  /// Whether no loss was detected.
  public var isWhole: Bool {
    schema == .file && tables.allSatisfy(\.isWhole) && notRestored.isEmpty
      && brokenReferences.isEmpty
  }
}
