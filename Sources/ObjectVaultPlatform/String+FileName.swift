extension String {
  /// The part of a path after the last slash; the whole path if it has no slash.
  package var fileName: Substring {
    let slash = utf8.lastIndex(of: UInt8(ascii: "/"))
    return self[(slash.map { utf8.index(after: $0) } ?? startIndex)...]
  }
}
