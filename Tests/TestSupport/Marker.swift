package enum TestSupportMarker {}
