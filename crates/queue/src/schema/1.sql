-- What is to be played, by whom, and what came of it. Every time is the database's own: clocks of workers may be wrong.

-- One row: what holds for all.
CREATE TABLE settings (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- The name of this queue, by which workers know what they kept for it.
    id text NOT NULL DEFAULT gen_random_uuid()::text,
    -- A worker that was not heard of for so long has lost what it was playing.
    lease interval NOT NULL DEFAULT '30 seconds',
    -- A pair of games that has outlived so many workers stops its job.
    attempts integer NOT NULL DEFAULT 20,
    -- When somebody last looked for workers that are gone.
    swept timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO settings DEFAULT VALUES;

-- A contest or a run of self-play. Whoever files the same again finds the one that is there.
CREATE TABLE jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    fingerprint bytea NOT NULL UNIQUE,
    kind text NOT NULL,
    game text NOT NULL,
    title text NOT NULL,
    version text NOT NULL,
    body text NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paused', 'cancelled', 'done')),
    note text NOT NULL DEFAULT '',
    filer text NOT NULL DEFAULT session_user,
    filed timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- When somebody last looked whether a job needs more items, and when its filers were last told of games.
CREATE TABLE beats (
    job bigint PRIMARY KEY,
    planned timestamptz NOT NULL DEFAULT '-infinity',
    told timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);

-- What a worker takes at once: games first, first + 1, … of an encounter, and all it must know to play them: who plays Black
-- and White in the first (sides change with every game), and which opening. States: 0 free, 1 held by a worker, 2 stored.
CREATE TABLE items (
    job bigint NOT NULL,
    number bigint NOT NULL,
    encounter integer NOT NULL,
    first integer NOT NULL,
    count smallint NOT NULL,
    round integer NOT NULL,
    black integer NOT NULL,
    white integer NOT NULL,
    opening bigint NOT NULL,
    stored smallint NOT NULL DEFAULT 0,
    state smallint NOT NULL DEFAULT 0,
    attempts smallint NOT NULL DEFAULT 0,
    worker bigint,
    PRIMARY KEY (job, encounter, first)
);
CREATE INDEX items_free ON items (job, number) WHERE state = 0;
CREATE INDEX items_held ON items (worker) WHERE state = 1;

-- What was played. `outcome` is for the schedule: 0 draw, 1 Black, 2 White as it was planned.
CREATE TABLE games (
    job bigint NOT NULL,
    encounter integer NOT NULL,
    game integer NOT NULL,
    outcome smallint,
    body bytea NOT NULL,
    worker bigint NOT NULL,
    xact xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (job, encounter, game)
);
-- Who reads on from the oldest transaction that was running the last time misses none that ended later.
CREATE INDEX games_by_xact ON games (job, xact);

CREATE TABLE workers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    cores integer NOT NULL,
    version text NOT NULL,
    note text NOT NULL DEFAULT '',
    joined timestamptz NOT NULL DEFAULT clock_timestamp(),
    until timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Programs and their files, by the SHA-256 of what is in them.
CREATE TABLE files (hash bytea PRIMARY KEY, size bigint NOT NULL);
CREATE TABLE chunks (hash bytea NOT NULL, number integer NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (hash, number));
CREATE TABLE job_files (job bigint NOT NULL, hash bytea NOT NULL, PRIMARY KEY (job, hash));
