public import SQL

extension JobQueue {
    public static let migrations = MigrationArea(
        "jobs",
        [
            Migration(
                "jobs and schedules",
                script: """
                    CREATE TABLE job_runner (
                        id TEXT NOT NULL PRIMARY KEY,
                        process TEXT NOT NULL,
                        alive_until INTEGER NOT NULL
                    );
                    CREATE TABLE job (
                        id TEXT NOT NULL PRIMARY KEY,
                        kind TEXT NOT NULL CHECK (kind <> ''),
                        title TEXT NOT NULL,
                        payload TEXT NOT NULL,
                        state TEXT NOT NULL CHECK
                            (state IN ('waiting', 'running', 'done', 'failed', 'cancelled', 'setAside')),
                        priority INTEGER NOT NULL,
                        unique_key TEXT,
                        run_at INTEGER NOT NULL,
                        created_at INTEGER NOT NULL,
                        started_at INTEGER,
                        finished_at INTEGER,
                        runner TEXT REFERENCES job_runner (id),
                        attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                        crashes INTEGER NOT NULL DEFAULT 0 CHECK (crashes >= 0),
                        is_suspect INTEGER NOT NULL DEFAULT 0 CHECK (is_suspect IN (0, 1)),
                        is_cancelling INTEGER NOT NULL DEFAULT 0 CHECK (is_cancelling IN (0, 1)),
                        progress_done INTEGER NOT NULL DEFAULT 0,
                        progress_total INTEGER,
                        phase TEXT NOT NULL DEFAULT '',
                        checkpoint TEXT,
                        reason TEXT,
                        result TEXT,
                        CONSTRAINT runs_somewhere CHECK ((state = 'running') = (runner IS NOT NULL)),
                        CONSTRAINT ends_sometime CHECK
                            ((state IN ('waiting', 'running')) = (finished_at IS NULL))
                    );
                    CREATE INDEX job_ready ON job (priority DESC, run_at, id) WHERE state = 'waiting';
                    CREATE UNIQUE INDEX job_waiting_key ON job (kind, unique_key)
                        WHERE state = 'waiting' AND unique_key IS NOT NULL;
                    CREATE UNIQUE INDEX job_running_key ON job (kind, unique_key)
                        WHERE state = 'running' AND unique_key IS NOT NULL;
                    CREATE INDEX job_running ON job (runner) WHERE state = 'running';
                    CREATE INDEX job_state ON job (state, id);
                    CREATE INDEX job_finished ON job (finished_at) WHERE finished_at IS NOT NULL;
                    CREATE TABLE job_schedule (
                        name TEXT NOT NULL PRIMARY KEY,
                        kind TEXT NOT NULL,
                        title TEXT NOT NULL,
                        payload TEXT NOT NULL,
                        recurrence TEXT NOT NULL,
                        zone TEXT NOT NULL,
                        begins_at INTEGER NOT NULL,
                        next_at INTEGER,
                        last_at INTEGER,
                        is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1))
                    );
                    CREATE INDEX job_schedule_due ON job_schedule (next_at) WHERE next_at IS NOT NULL;
                    """),
            Migration(
                "who asked for jobs",
                script: """
                    ALTER TABLE job ADD COLUMN asked_by TEXT;
                    CREATE INDEX job_waiting_of ON job (asked_by) WHERE state = 'waiting' AND asked_by IS NOT NULL;
                    """),
        ])
}
