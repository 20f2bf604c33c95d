internal import Foundation
internal import ObjectVaultCore
internal import TestSupport

/// Writes three notes per transaction in eight threads until the process is killed.
///
/// Prints the text of the notes whose transaction returned.
func writeInGroups(at path: String, killedAfter milliseconds: UInt32) throws -> String {
  var configuration = VaultConfiguration()
  configuration.commitGrouping = .on
  configuration.durability = .powerFailure
  let vault = try Vault(
    at: path, key: .ofTests, configuration: configuration)
  let description = ClassDescription(
    "Note", properties: [PropertyDescription("text", String.self)])
  let notes = try vault.store(of: description)
  let returned = DispatchSemaphore(value: 0)
  for thread in 0..<8 {
    Thread.detachNewThread {
      do {
        for step in 0... {
          let text = "\(thread)-\(step)"
          try vault.transaction {
            for _ in 0..<3 {
              var note = try DynamicObject(of: description)
              try note.set("text", to: .text(text))
              try notes.insert(note)
            }
          }
          // One call, so that lines are not mixed.
          FileHandle.standardOutput.write(Data("\(text)\n".utf8))
          returned.signal()
        }
      } catch {
        print(error)
        exit(71)
      }
    }
  }
  returned.wait()
  usleep(milliseconds * 1000)
  kill(getpid(), SIGKILL)
  return "not killed"
}
