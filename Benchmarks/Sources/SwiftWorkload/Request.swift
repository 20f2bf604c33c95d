package import Workload

/// The arguments of a run: `PEER VARIANT WORKLOAD ROWS PATH`.
package struct Request: Sendable {
  package let variant: String
  package let workload: String
  package let rows: Int
  package let path: String

  package init() {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let rows = Int(arguments[3]) else {
      workload_fail("usage", "\(arguments[0]) VARIANT WORKLOAD ROWS PATH")
    }
    (variant, workload, self.rows, path) = (arguments[1], arguments[2], rows, arguments[4])
  }

  package func size(of size: workload_size) -> Int { Int(workload_size(size, Int64(rows))) }

  /// Measures `body` and prints the result.
  ///
  /// - Parameters:
  ///   - operations: The number of operations, evaluated after `body`.
  ///   - otherRate: The operations per second of other threads, evaluated after `body`.
  ///   - body: The work. It returns the check value, which must be the same for all peers.
  ///   - check: Computes the check value after the measurement, instead of `body`.
  /// - Throws: An error of `check`. An error of `body` ends the process.
  package func measure(
    _ operations: @autoclosure () -> Int, otherRate: @autoclosure () -> Double = 0,
    _ body: () throws -> Int, check: (() throws -> Int)? = nil
  ) throws {
    let result = withoutActuallyEscaping(body) { body in
      var job = Job(body: body)
      return withUnsafeMutablePointer(to: &job) { job in
        workload_measured(
          { Int64($0!.assumingMemoryBound(to: Job.self).pointee.run()) }, job)
      }
    }
    workload_tell(
      workload, Int64(operations()), try check.map { Int64(try $0()) } ?? result, otherRate())
  }
}

private struct Job {
  let body: () throws -> Int

  func run() -> Int {
    do { return try body() } catch { workload_fail("peer", "\(error)") }
  }
}
