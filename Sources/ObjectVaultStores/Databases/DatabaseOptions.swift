package import Logging

/// The settings of a database that stores need.
package struct DatabaseOptions: Sendable {
  /// The receiver of log messages.
  package var logger: Logger?
  /// Whether concurrent writes share a commit.
  package var groupsCommits = false
  /// Whether conditions may contain regular expressions.
  package var allowsRegularExpressions = false
  /// The interval for detecting changes by other processes, in seconds.
  package var observationInterval = 0.5
  /// The duration in seconds from which a query is logged; `nil` for none.
  package var slowQueryThreshold: Double?
  /// Whether queries are recorded, for advice on indexes.
  package var notesQueries = false

  package init() {}
}
