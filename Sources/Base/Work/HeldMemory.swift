internal import CSystem

/// What the process holds in memory beyond what it works with.
public enum HeldMemory {
    /// Gives back what was freed, and the pages of the program and its libraries that were read until now. A program
    /// begins with much that it does once: it binds its libraries, reads its words, opens a form. What comes after that
    /// works in a third of it. Costs some tenths of a millisecond, since what is needed again is mapped again.
    public static func letGo() { csystem_let_memory_go() }
}
