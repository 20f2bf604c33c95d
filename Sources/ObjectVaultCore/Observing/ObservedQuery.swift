#if canImport(Observation)
  public import Observation

  /// The objects of a query as a property that views can follow by the Observation framework.
  ///
  /// ```swift
  /// @State private var adults = ObservedQuery(students.where("age >= 18"))
  /// var body: some View { List(adults.objects) { … } }
  /// ```
  ///
  /// It belongs to the main actor; what it shows is read elsewhere. It follows the query until it is
  /// stopped or released.
  @MainActor
  public final class ObservedQuery<T: VaultObject & Sendable>: Observable {
    private let registrar = ObservationRegistrar()
    private var task: Task<Void, Never>?
    private var shownObjects: [T] = []
    private var shownError: (any Error)?
    private var hasObjects = false

    /// The objects as they were after the last commit that changed them; none before they are read
    /// for the first time.
    public var objects: [T] {
      registrar.access(self, keyPath: \.objects)
      return shownObjects
    }

    /// Whether the objects were read.
    public var isLoaded: Bool {
      registrar.access(self, keyPath: \.isLoaded)
      return hasObjects
    }

    /// Why the objects are followed no more; `nil` as long as they are, and once the vault is closed.
    public var error: (any Error)? {
      registrar.access(self, keyPath: \.error)
      return shownError
    }

    /// Follows a query.
    public init(_ query: Query<T>) {
      task = Task { [weak self] in
        do {
          for try await objects in query.observe() {
            // It may have been stopped after they were read.
            guard let self, !Task.isCancelled else { return }
            self.show(objects)
          }
        } catch {
          if !Task.isCancelled { self?.show(error) }
        }
      }
    }

    deinit { task?.cancel() }

    /// Follows the query no more; from here on the objects stay as they are.
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
