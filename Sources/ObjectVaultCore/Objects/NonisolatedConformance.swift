#if compiler(>=6.2)
  /// A type whose conformances belong to no actor, so that they can be used on any thread.
  ///
  /// A vault reads and writes objects on threads of its own. In a module whose default isolation is
  /// the main actor, declare what is stored `nonisolated`:
  ///
  /// ```swift
  /// @Stored nonisolated struct Student { … }
  /// ```
  public typealias NonisolatedConformance = SendableMetatype
#else
  /// A type whose conformances belong to no actor, as those of every type do for this compiler.
  public typealias NonisolatedConformance = Any
#endif
