extension String {
  /// What stands behind the last slash of a path; all of it where there is none.
  var fileName: Substring {
    let slash = utf8.lastIndex(of: UInt8(ascii: "/"))
    return self[(slash.map { utf8.index(after: $0) } ?? startIndex)...]
  }
}
