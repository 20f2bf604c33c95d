#if compiler(>=6.2)
  /// A requirement that a type's conformances are not isolated to an actor, for use on any thread.
  ///
  /// A vault reads and writes objects on its own threads. In a module with the main actor as its
  /// default isolation, declare stored types `nonisolated`:
  ///
  /// ```swift
  /// @Stored nonisolated struct Student { … }
  /// ```
  public typealias NonisolatedConformance = SendableMetatype
#else
  /// A requirement that this compiler satisfies for all types.
  ///
  /// Conformances are never isolated to an actor in this version of Swift.
  public typealias NonisolatedConformance = Any
#endif
