/// One result of the doctor.
struct Check {
  var subject: String
  /// The finding.
  var result: String
  /// The advice for a problem; `nil` if there is none.
  var remedy: String?
}
