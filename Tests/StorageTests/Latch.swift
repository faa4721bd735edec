import Work

/// Lets one thread wait until another has come to a certain point.
final class Latch: Sendable {
    private let isOpen = Monitor(false)

    func open() { isOpen.update { $0 = true } }

    func wait() { _ = isOpen.wait { $0 ? true : nil } }
}
