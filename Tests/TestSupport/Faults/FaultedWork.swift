/// An operation that is composed of closures.
struct FaultedWork: FaultedOperation {
  let name: String
  /// Creates the initial files.
  let making: @Sendable (_ folder: String) throws -> Void
  /// Performs the operation.
  let performing: @Sendable (_ folder: String) throws -> Void
  var confession: String?
  /// Whether repeating an interrupted operation removes its leftover files.
  var isTidiedByRedoing = false
  /// Whether a failed operation may have played the log into the file.
  var isLogPlayed = false
  /// Returns the state of the folder.
  let looking: @Sendable (_ folder: Place, _ isThorough: Bool) throws -> FaultOutcome

  func prepare(in folder: String) throws { try making(folder) }

  func perform(in folder: String) throws { try performing(folder) }

  func inspect(_ folder: String, isThorough: Bool) throws -> FaultOutcome {
    let place = Place(folder: folder)
    try place.expectPrivateFiles()
    let outcome = try looking(place, isThorough)
    // An interrupted operation can be repeated.
    if outcome == .before, try isThorough || (isTidiedByRedoing && place.hasLeftovers()) {
      try performing(folder)
      guard try looking(place, false) == .after else {
        throw FaultViolation("it cannot be done again")
      }
    }
    return outcome
  }

  func checkUntouched(_ folder: String, since template: String, mayLackRoom: Bool) throws {
    let (place, initial) = (Place(folder: folder), Place(folder: template))
    guard isLogPlayed else {
      return try place.expectSame(as: initial, mayLackRoom: mayLackRoom)
    }
    let before = try initial.files()
    let leftovers = try place.files().filter { !before.contains($0) && !$0.hasSuffix("-shm") }
    guard leftovers.isEmpty else { throw FaultViolation("\(leftovers) stay behind") }
  }
}
