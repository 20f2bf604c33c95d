/// What came back of a damaged file, and what is lost.
public struct SalvageReport: Sendable, Hashable {
  /// Where the tables' definitions come from.
  public enum Schema: Sendable, Hashable {
    /// The file's own list of tables.
    case file
    /// The list of tables is lost. The classes come from their descriptions in the file; rows that
    /// are no class's stand in tables `lost_1`, `lost_2` and so on, with columns `c0`, `c1` and so on.
    case classes
    /// Neither could be read: all rows stand in tables `lost_1` and so on.
    case none
  }

  /// Rows of which nothing came back, because a page is lost.
  public struct LostRows: Sendable, Hashable {
    /// The number of the page.
    public var page: Int
    /// The first rowid that may have stood there; `nil` where that cannot be told.
    public var first: Int64?
    /// The last rowid that may have stood there; `nil` where that cannot be told.
    public var last: Int64?
  }

  /// A row that came back without some of its values, which are now nil, or not at all.
  public struct DamagedRow: Sendable, Hashable {
    /// The row's rowid; `nil` in a table without rowids.
    public var rowID: Int64?
    /// The columns whose values are lost with a page.
    public var columns: [String]
  }

  /// What came back of one table.
  public struct Table: Sendable, Hashable {
    /// The name of the class, or of the table where it is no class's.
    public var name: String
    /// The name of the table in the new file.
    public var table: String
    /// Whether the rowids are the objectIDs, or the primary key of a table that is no class's.
    public var rowIDsAreObjectIDs = false
    /// How many rows came back, also without some of their values.
    public var rowsRecovered = 0
    /// Rows of which nothing came back. Pages, and with them rows, that are lost one after the other
    /// are so many entries.
    public var lost: [LostRows] = []
    /// Rows that came back without some of their values; the first ``SalvageReport/mostNamed``.
    public var rowsWithLostValues: [DamagedRow] = []
    /// How many rows came back without some of their values.
    public var rowsWithLostValuesCount = 0
    /// Rows that could be read, at least in part, and that a constraint of the table refused; the
    /// first ``SalvageReport/mostNamed``.
    public var refusedRows: [DamagedRow] = []
    /// How many rows could be read and were refused.
    public var refusedRowsCount = 0

    /// Whether all of it came back, as far as can be told.
    public var isWhole: Bool {
      lost.isEmpty && rowsWithLostValuesCount == 0 && refusedRowsCount == 0
    }
  }

  /// How many rows of a table are named at most; the others are counted.
  public static let mostNamed = 1000

  /// How the damaged file is encrypted; `nil` for one in clear.
  public var source: CipherFacts?
  /// How the new file is encrypted.
  public var cipher: CipherFacts
  /// How many pages the damaged file has.
  public var pageCount: Int
  /// The pages that could not be read.
  public var badPages: [VerificationReport.BadPage]
  /// Where the tables' definitions come from.
  public var schema = Schema.file
  /// What came back, table by table.
  public var tables: [Table] = []
  /// Indexes, also of words, views and triggers that could not be made again, and tables of which nothing
  /// came back, each with the reason; and the numbers that generated objectIDs go on from, where their
  /// page is lost.
  public var notRestored: [String] = []
  /// Classes or tables whose rows now refer to rows that are lost.
  public var brokenReferences: [String] = []

  /// Whether nothing was lost, as far as can be told.
  public var isWhole: Bool {
    schema == .file && tables.allSatisfy(\.isWhole) && notRestored.isEmpty
      && brokenReferences.isEmpty
  }
}
