public import Conversion
public import Work

extension Doctor {
    /// Has each engine convert one page, where this program runs and with the walls that stand here. Takes seconds.
    public static func trials(with engines: Engines, progress: Progress = Progress()) -> [Finding] {
        engines.trials(progress: progress).map { EngineTrials.Line($0).finding }
    }
}
