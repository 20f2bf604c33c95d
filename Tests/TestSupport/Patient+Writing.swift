package import ObjectVaultCore
import Foundation
import Testing

extension ObjectStore<Patient> {
  /// Writes patients in every way into an empty store, and expects that each is read as it was
  /// written.
  ///
  /// - Returns: The patient with the object ID 1 and the one with the object ID 99, besides 20 others.
  package func writeInEveryWay() throws -> (ada: Patient, bob: Patient) {
    let patients = self
    var ada = try patients.insert(Patient("Ada", "gout", note: "x"))
    #expect(ada.objectID == 1)
    let ids = try patients.insert(contentsOf: (0..<20).map { Patient("P\($0)", "D\($0)") })
    #expect(ids == (2...21).map { Int64($0) })
    #expect(try patients.find(5)?.diagnosis == "D3")
    ada.diagnosis = "flu"
    ada.weight = -1.25
    try patients.update(ada)
    #expect(try patients.find(1) == ada)
    ada.note = nil
    ada.diagnosis = "not written"
    try patients.update(ada, only: "note")
    ada.diagnosis = "flu"
    #expect(try patients.find(1) == ada)
    ada.tags = ["c"]
    ada.visits = nil
    #expect(try patients.save(ada) == ada)
    var bob = Patient("Bob", "cold")
    bob.objectID = 99
    #expect(try patients.replace(bob) == bob)
    bob.scan = Data()
    try patients.replace(bob)
    return (ada, bob)
  }
}
