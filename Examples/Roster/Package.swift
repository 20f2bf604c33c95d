// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Roster",
  platforms: [.macOS(.v15)],
  dependencies: [
    // A package of your own names the repository's address and a version here.
    .package(name: "ObjectVault", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "roster", dependencies: [.product(name: "ObjectVault", package: "ObjectVault")])
  ]
)
