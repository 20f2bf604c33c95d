import ObjectVaultDriver
import Testing

import ObjectVaultSession

@Suite("The mark of a transaction") struct TransactionMarkTests {
  private final class Pool {}

  @Test("that is made in a task from inside another one keeps that as long as it is in progress")
  func chain() {
    let pool = Pool()
    func inner(ending: Bool) -> (outer: WeakReference<TransactionMark>, inner: TransactionMark) {
      let outer = TransactionMark(of: pool)
      if ending { outer.end() }
      let inner = TransactionMark.$current.withValue(outer) { TransactionMark(of: Pool()) }
      return (WeakReference(outer), inner)
    }
    let over = inner(ending: true)
    #expect(over.outer.object == nil)
    let inProgress = inner(ending: false)
    #expect(inProgress.outer.object != nil)
    TransactionMark.$current.withValue(over.inner) { #expect(!TransactionMark.isInside(pool)) }
    TransactionMark.$current.withValue(inProgress.inner) { #expect(TransactionMark.isInside(pool)) }
  }
}
