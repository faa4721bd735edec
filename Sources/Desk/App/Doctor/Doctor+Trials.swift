import Bytes
public import Conversion
public import Work

extension Doctor {
    /// Has each engine convert one page, where this program runs and with the walls that stand here. Takes seconds.
    public static func trials(with engines: Engines, progress: Progress = Progress()) -> [Finding] {
        engines.trials(progress: progress).map { trial in
            trial.trouble.map {
                Finding(
                    .engines, "\(trial.engine) at work", .limited, "It did not convert a page: \($0)",
                    remedy: "look at the walls above; under systemd, at the settings of the unit")
            }
                ?? Finding(
                    .engines, "\(trial.engine) at work", .good,
                    "It converted a page in \(Int((trial.seconds * 1000).rounded())) ms.")
        }
    }

    /// What the trials in the service itself found when they were last made.
    static func trials(in report: Report?) -> [Finding] {
        (report?.detail["engines"]?.array ?? []).compactMap { line in
            guard let name = line["name"]?.string, let sentence = line["sentence"]?.string else { return nil }
            return Finding(
                .engines, name, line["good"] == true ? .good : .limited, sentence,
                remedy: line["remedy"]?.string)
        }
    }
}
