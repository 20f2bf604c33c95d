// swift-tools-version: 6.1
import PackageDescription

// A separate package, so that packages that depend on the library do not depend on its peers.
//
// Scripts/instructions needs neither macros nor other libraries: OBJECTVAULT_WITHOUT_MACROS, as for
// the library itself, leaves both out.
let withMacros = Context.environment["OBJECTVAULT_WITHOUT_MACROS"] == nil

// Scripts/benchmark-server sets OBJECTVAULT_SERVER_BENCHMARKS, so that the others need no client
// library of PostgreSQL. The library's program is then the same one, on shared vaults.
let withServer = Context.environment["OBJECTVAULT_SERVER_BENCHMARKS"] != nil

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ObjectVault", path: "..")],
  targets: [
    // Shared by all peers: the data, the clock, the threads and the output of results.
    .target(name: "Workload"),
    // The same for the Swift peers.
    .target(name: "SwiftWorkload", dependencies: ["Workload"], swiftSettings: strict),
  ]
)

let defines: [SwiftSetting] =
  (withMacros ? [] : [.define("WITHOUT_MACROS")]) + (withServer ? [.define("WITH_SERVER")] : [])
let library: [Target.Dependency] = [
  "SwiftWorkload",
  .product(name: withMacros ? "ObjectVault" : "ObjectVaultCore", package: "ObjectVault"),
]

if withServer {
  package.targets += [
    .systemLibrary(
      name: "PostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    // The floor on a server: the work in C, directly on the client library.
    .executableTarget(name: "serverfloor", dependencies: ["PostgreSQL", "Workload"]),
    // This library on a server.
    .executableTarget(
      name: "servervault",
      dependencies: library + [.product(name: "ObjectVaultServer", package: "ObjectVault")],
      path: "Sources/vault", swiftSettings: strict + defines),
  ]
} else {
  package.targets += [
    // The engine, for the C targets.
    .systemLibrary(
      name: "SQLCipher", pkgConfig: "sqlcipher",
      providers: [.apt(["libsqlcipher-dev"]), .brew(["sqlcipher"])]),
    // The floor: the work in C, directly on the engine.
    .executableTarget(
      name: "floor", dependencies: ["SQLCipher", "Workload"],
      linkerSettings: [.linkedLibrary("crypto")]),
    // This library: structs, classes, and objects of classes that are described at run time.
    .executableTarget(
      name: "vault", dependencies: library, swiftSettings: strict + defines),
  ]
}

if withMacros, !withServer {
  package.dependencies.append(
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"))
  package.targets += [
    // The functions that GRDB calls and that engines before SQLite 3.20 do not have.
    .target(name: "LaterCalls", dependencies: ["SQLCipher"]),
    // GRDB: records written by hand and Codable records.
    .executableTarget(
      name: "grdb",
      dependencies: [
        "LaterCalls", "SwiftWorkload", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
  ]
}
