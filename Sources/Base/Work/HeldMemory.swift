internal import CSystem

/// What the process holds in memory beyond what it works with.
public enum HeldMemory {
    /// Gives back what was freed, and the pages of the program and its libraries that were read until now. A program
    /// begins with much that it does once: it binds its libraries, reads its words, opens a form. What comes after that
    /// works in a third of it. Costs some tenths of a millisecond, since what is needed again is mapped again.
    public static func letGo() { csystem_let_memory_go() }

    /// From now on each thread holds on to a megabyte of what it frees. Whoever makes documents by the dozen frees them by
    /// the dozen: given back to the kernel and fetched again each time, their pages would cost a second thread a tenth of
    /// what it gains, since a process has one map of its memory for all threads.
    public static func keepForNext() { _ = keeping }

    private static let keeping: Void = csystem_keep_freed_memory()
}
