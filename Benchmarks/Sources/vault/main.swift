// The peer for this library: vault struct|class|dynamic|indexed WORKLOAD ROWS PATH
import SwiftWorkload
import Workload

let request = Request()
// This must precede the first use of the engine.
VaultProcess.tuneEngine()
do {
  switch request.variant {
  case "struct": try Runs<Person>(request).run()
  case "class": try Runs<PersonObject>(request).run()
  case "dynamic": try Runs<DynamicObject>(request).run()
  case "indexed": try Runs<IndexedPerson>(request).run()
  default: workload_fail("no such variant", request.variant)
  }
} catch {
  workload_fail("vault", "\(error)")
}
