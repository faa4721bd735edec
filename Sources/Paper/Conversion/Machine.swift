import Glibc

/// What this machine can do at once.
enum Machine {
    static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    static var memoryByteCount: Int64 {
        Int64(sysconf(Int32(_SC_PHYS_PAGES))) * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
