import Browsing
import Conversion
import Office
import Testing
import Work

@Suite struct EnginesTests {
    @Test func poolsAreAsLargeAsProcessorsAndMemoryLetThem() {
        func pools(_ processors: Int, _ gigabytes: Int64) -> [Int] {
            let settings = Engines.Settings(processors: processors, memoryByteCount: gigabytes << 30)
            return [settings.offices.workerCount, settings.browsers.pagesAtOnce]
        }
        #expect(pools(1, 1) == [1, 2])
        #expect(pools(2, 4) == [2, 4])
        // Many processors are of no use without memory, nor memory without processors; and it has an end.
        #expect(pools(16, 2) == [1, 2])
        #expect(pools(1, 64) == [1, 2])
        #expect(pools(64, 512) == [8, 6])
    }

    @Test(
        .enabled(if: Offices.isInstalled, "LibreOffice is not installed"),
        .enabled(if: Browsers.isInstalled, "Chromium is not installed"))
    func enginesBeginWhenTheyAreWarmedAndNotBefore() {
        var settings = Engines.Settings(processors: 2, memoryByteCount: 4 << 30)
        settings.stay()
        let engines = Engines(jail: Jail.detect(), settings: settings)
        defer { engines.stop() }
        #expect(engines.offices.status.running == 0 && !engines.browsers.status.isRunning)
        engines.warm()
        #expect(engines.offices.status.running == 2 && engines.browsers.status.isRunning)
    }
}
