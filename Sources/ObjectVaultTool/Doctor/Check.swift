/// One thing the doctor looked at.
struct Check {
  var subject: String
  /// What was found.
  var result: String
  /// What to do about it, where something is wrong.
  var remedy: String?
}
