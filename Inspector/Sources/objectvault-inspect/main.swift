import InspectorServer
import ObjectVaultTool

Tool.run { try WebServer.serve($0, port: $1) }
