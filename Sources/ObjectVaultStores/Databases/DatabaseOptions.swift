package import Logging

/// The settings of a database that stores need.
package struct DatabaseOptions: Sendable {
  /// The receiver of log messages.
  package var logger: Logger?
  /// Whether concurrent writes share a commit.
  package var groupsCommits = false
  /// Whether conditions may contain regular expressions.
  package var allowsRegularExpressions = false
  /// The interval for detecting changes by other processes.
  package var observationInterval = Duration.milliseconds(500)
  /// The duration from which a query is logged; `nil` for none.
  package var slowQueryThreshold: Duration?
  /// Whether queries are recorded, for advice on indexes.
  package var recordsQueries = false

  package init() {}
}
