// The peer for GRDB: grdb hand|codable WORKLOAD ROWS PATH
import LaterCalls
import SwiftWorkload
import Workload

let request = Request()
guard String(cString: later_calls_engine()).contains("sqlcipher") else {
  workload_fail("engine", "the functions called are not those of SQLCipher")
}
do {
  switch request.variant {
  case "hand": try Runs<HandPerson>(request).run()
  case "codable": try Runs<CodablePerson>(request).run()
  default: workload_fail("no such variant", request.variant)
  }
} catch {
  workload_fail("grdb", "\(error)")
}
