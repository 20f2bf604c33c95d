// swift-tools-version: 6.1
import PackageDescription

// The tool with a server added, for `objectvault inspect --web`. It is a package of its own, so
// that neither applications nor the tool contain a server. The server depends on nothing: HTTP
// libraries for Swift either have no limits on request heads and connections, or bring a network
// stack that takes longer to build than all the rest.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
let tool = Target.Dependency.product(name: "ObjectVaultTool", package: "ObjectVault")

let package = Package(
  name: "Inspector",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ObjectVault", path: "..")],
  targets: [
    // HTTP on the loopback interface, the session of a browser, and the page.
    .target(
      name: "InspectorServer", dependencies: [tool], resources: [.embedInCode("Page")],
      swiftSettings: strict),
    .executableTarget(
      name: "objectvault-inspect", dependencies: ["InspectorServer", tool], swiftSettings: strict),
    .testTarget(
      name: "InspectorServerTests", dependencies: ["InspectorServer"], swiftSettings: strict),
  ]
)
