package import Foundation

internal import ObjectVaultPlatform

/// Searches in files for bytes that they must not contain.
package enum FileScan {
  /// Returns the names of the files in a folder that contain `marker`.
  ///
  /// No file may be open in this process: closing a second descriptor would drop the locks of the
  /// first.
  package static func filesHolding(_ marker: String, in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { name in
      let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
      return try Data(contentsOf: url).holds(Data(marker.utf8))
    }
  }

  #if os(Linux)
    /// Returns the regular files that this process has open: files in `folder` and unnamed files.
    ///
    /// Temporary files have no name. Each file is read through its open descriptor, so that no lock
    /// is dropped.
    package static func openFiles(below folder: String) -> [(name: String, content: Data)] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      var buffer = [CChar](repeating: 0, count: 4096)
      return names.compactMap { name in
        guard let descriptor = Int32(name) else { return nil }
        let length = readlink("/proc/self/fd/\(name)", &buffer, buffer.count - 1)
        guard length > 0 else { return nil }
        let target = buffer.withUnsafeBytes {
          String(decoding: $0.prefix(length), as: UTF8.self)
        }
        guard target.hasPrefix(folder + "/") || target.hasSuffix(" (deleted)") else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
          return nil
        }
        var content = Data(count: Int(status.st_size))
        let count = content.withUnsafeMutableBytes {
          pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 else { return nil }
        return (target, content.prefix(count))
      }
    }
  #endif
}

extension Data {
  /// Returns whether the data contains the bytes.
  package func holds(_ bytes: Data) -> Bool {
    withUnsafeBytes { content in
      bytes.withUnsafeBytes { sought in
        guard let start = content.baseAddress, let needle = sought.baseAddress else { return false }
        var place = 0
        while place + sought.count <= content.count,
          let hit = memchr(
            start + place, Int32(sought[0]), content.count - place - sought.count + 1)
        {
          if memcmp(hit, needle, sought.count) == 0 { return true }
          place = UnsafeRawPointer(hit) - start + 1
        }
        return false
      }
    }
  }
}

/// A watch that repeatedly scans every file that the process has open.
package final class FileWatch: @unchecked Sendable {
  private let folder: String
  private let marker: Data
  private let lock = NSLock()
  private var seen: Set<String> = []
  private var holding: Set<String> = []
  private var looks = 0

  package init(folder: String, marker: String) {
    self.folder = folder
    self.marker = Data(marker.utf8)
  }

  /// Scans once.
  ///
  /// The engine's progress handler calls it.
  package func look() {
    #if os(Linux)
      let files = FileScan.openFiles(below: folder)
      lock.withLock {
        looks += 1
        for file in files {
          seen.insert(file.name)
          if file.content.holds(marker) { holding.insert(file.name) }
        }
      }
    #endif
  }

  /// The number of scans.
  package var count: Int { lock.withLock { looks } }
  /// The files that contained the marker in any scan.
  package var filesHolding: Set<String> { lock.withLock { holding } }
  /// Returns whether any scan found a file with the name suffix.
  package func saw(_ suffix: String) -> Bool {
    lock.withLock { seen.contains { $0.hasSuffix(suffix) } }
  }
}
