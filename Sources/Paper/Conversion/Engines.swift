public import Browsing
public import Office
import Synchronization
public import Work

/// The engines, each begun when it is first needed and shared by all conversions of this process.
public final class Engines: Sendable {
    public struct Settings: Sendable {
        public var offices = Offices.Settings()
        public var browsers = Browsers.Settings()
        /// Converts office papers and web pages in place of the engines of this machine.
        public var remote: RemoteEngine?

        /// For a machine with so many processors and so much memory.
        public init(processors: Int, memoryByteCount: Int64) {
            let room = Int(max(1, (memoryByteCount - (1 << 30)) / (600 << 20)))
            offices.workerCount = max(1, min(processors, room, 8))
            browsers.pagesAtOnce = max(1, min(processors * 2, room * 2, 6))
        }

        /// Longer than any machine runs.
        public static let always = Duration.seconds(100 * 365 * 24 * 3600)

        /// Engines stay when nobody has needed them for a while.
        public mutating func stay() {
            offices.idleTime = Self.always
            browsers.idleTime = Self.always
        }

        public static var ofThisMachine: Settings {
            Settings(processors: Machine.processors, memoryByteCount: Machine.memoryByteCount)
        }
    }

    public let jail: Jail
    public let browsers: Browsers
    public let offices: Offices
    let remote: RemoteEngine?
    /// For pages that are drawn, recognised or packed side by side.
    public let workers: Workers

    public init(jail: Jail, settings: Settings = .ofThisMachine) {
        self.jail = jail
        browsers = Browsers(jail: jail, settings: settings.browsers)
        remote = settings.remote
        offices = Offices(jail: jail, settings: settings.offices)
        workers = Workers(name: "convert", threads: Machine.processors, stackByteCount: 4 << 20)
    }

    /// Begins both engines that take a while to begin.
    public func warm() {
        let office = Thread(name: "warm-office") { [self] in try? offices.warm() }
        try? browsers.warm()
        office.join()
    }

    /// Lets what was begun come to its end, and ends every process.
    public func stop() {
        offices.stop()
        browsers.stop()
        workers.stop()
    }
}
