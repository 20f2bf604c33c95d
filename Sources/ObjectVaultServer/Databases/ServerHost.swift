/// One of the servers of an address, as the client library names it.
struct ServerHost: Sendable, Hashable {
  /// The name; `nil` for the one of the environment.
  var host: String?
  /// The numeric address, which is used instead of looking up the name.
  var address: String?
  /// The port; `nil` for the usual one.
  var port: String?

  /// Returns the servers of the settings of an address.
  ///
  /// - Parameter settings: The settings `host`, `hostaddr` and `port`, each of which can be a list
  ///   with commas.
  /// - Returns: The servers in order. Lists of different lengths are one server, which the client
  ///   library rejects.
  static func list(_ settings: [String: String]) -> [ServerHost] {
    func parts(_ keyword: String) -> [String] {
      settings[keyword]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        ?? []
    }
    let (hosts, addresses, ports) = (parts("host"), parts("hostaddr"), parts("port"))
    let count = max(hosts.count, addresses.count, 1)
    guard [hosts.count, addresses.count].allSatisfy({ $0 == 0 || $0 == count }),
      [0, 1, count].contains(ports.count)
    else {
      return [
        ServerHost(host: settings["host"], address: settings["hostaddr"], port: settings["port"])
      ]
    }
    return (0..<count).map { index in
      ServerHost(
        host: hosts.isEmpty ? nil : hosts[index],
        address: addresses.isEmpty ? nil : addresses[index],
        port: ports.count == count ? ports[index] : ports.first)
    }
  }

  /// Returns the settings that name servers, in the order in which they are tried.
  static func settings(_ hosts: [ServerHost]) -> [String: String] {
    func list(_ part: (ServerHost) -> String?) -> String? {
      hosts.contains { part($0) != nil }
        ? hosts.map { part($0) ?? "" }.joined(separator: ",") : nil
    }
    var settings: [String: String] = [:]
    settings["host"] = list(\.host)
    settings["hostaddr"] = list(\.address)
    settings["port"] = list(\.port)
    return settings
  }
}
