// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Roster",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In your own package, use the URL of the repository and a version.
    .package(name: "ObjectVault", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "roster", dependencies: [.product(name: "ObjectVault", package: "ObjectVault")])
  ]
)
