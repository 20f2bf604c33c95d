/// An operation that is put together from its parts.
struct FaultedWork: FaultedOperation {
  let name: String
  /// Makes what it begins with.
  let making: @Sendable (_ folder: String) throws -> Void
  /// Does it.
  let performing: @Sendable (_ folder: String) throws -> Void
  var confession: String?
  /// Whether doing it again is what tidies up where it was cut off.
  var isTidiedByRedoing = false
  /// Says which of the two states the folder is in.
  let looking: @Sendable (_ folder: Place, _ isThorough: Bool) throws -> FaultOutcome

  func prepare(in folder: String) throws { try making(folder) }

  func perform(in folder: String) throws { try performing(folder) }

  func inspect(_ folder: String, isThorough: Bool) throws -> FaultOutcome {
    let place = Place(folder: folder)
    try place.expectPrivateFiles()
    let outcome = try looking(place, isThorough)
    // What was cut off can be done again.
    if outcome == .before, try isThorough || (isTidiedByRedoing && place.hasLeftovers()) {
      try performing(folder)
      guard try looking(place, false) == .after else {
        throw FaultViolation("it cannot be done again")
      }
    }
    return outcome
  }

  func checkUntouched(_ folder: String, since template: String, mayLackRoom: Bool) throws {
    try Place(folder: folder).expectSame(as: Place(folder: template), mayLackRoom: mayLackRoom)
  }
}
