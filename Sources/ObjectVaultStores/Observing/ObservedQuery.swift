public import ObjectVaultModel

#if canImport(Observation)
  public import Observation

  /// The objects of a query as an observable property for views, based on the Observation
  /// framework.
  ///
  /// ```swift
  /// @State private var adults = ObservedQuery(try students.where("age >= 18"))
  /// var body: some View { List(adults.objects) { … } }
  /// ```
  ///
  /// The object is isolated to the main actor and reads its data on other threads. It follows the
  /// query until it is stopped or released.
  @MainActor
  public final class ObservedQuery<T: VaultObject & Sendable>: Observable {
    private let registrar = ObservationRegistrar()
    private var task: Task<Void, Never>?
    private var shownObjects: [T] = []
    private var shownError: (any Error)?
    private var hasObjects = false

    /// The objects after the last commit that changed them; empty until the first read.
    public var objects: [T] {
      registrar.access(self, keyPath: \.objects)
      return shownObjects
    }

    /// Whether the objects were read at least once.
    public var isLoaded: Bool {
      registrar.access(self, keyPath: \.isLoaded)
      return hasObjects
    }

    /// The error that ended the observation.
    ///
    /// `nil` while the observation runs, and after the vault was closed.
    public var error: (any Error)? {
      registrar.access(self, keyPath: \.error)
      return shownError
    }

    /// Creates an object that follows a query.
    public init(_ query: Query<T>) {
      task = Task { [weak self] in
        do {
          for try await objects in query.observe() {
            // The observation may have been stopped after the read.
            guard let self, !Task.isCancelled else { return }
            self.show(objects)
          }
        } catch {
          if !Task.isCancelled { self?.show(error) }
        }
      }
    }

    deinit { task?.cancel() }

    /// Stops following the query; the objects no longer change.
    public func stop() { task?.cancel() }

    private func show(_ objects: [T]) {
      registrar.withMutation(of: self, keyPath: \.objects) { shownObjects = objects }
      guard !hasObjects else { return }
      registrar.withMutation(of: self, keyPath: \.isLoaded) { hasObjects = true }
    }

    private func show(_ error: any Error) {
      registrar.withMutation(of: self, keyPath: \.error) { shownError = error }
    }
  }
#endif
