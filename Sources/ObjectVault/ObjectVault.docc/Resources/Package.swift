// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Notes",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ObjectVault", path: "../ObjectVault")
  ],
  targets: [
    .executableTarget(
      name: "notes", dependencies: [.product(name: "ObjectVault", package: "ObjectVault")])
  ]
)
