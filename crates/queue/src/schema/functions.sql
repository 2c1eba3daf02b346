-- What roles may do, made anew by every init. Each runs with the rights of its owner.

-- A worker comes; it gets a number.
CREATE OR REPLACE FUNCTION join_in(name text, cores integer, version text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
    INSERT INTO workers (name, cores, version, until)
    SELECT left(name, 200), cores, left(version, 200), clock_timestamp() + lease FROM settings RETURNING id
$$;

-- Frees what workers hold that were not heard of for too long; says how many items.
CREATE OR REPLACE FUNCTION sweep() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
DECLARE freed bigint;
BEGIN
    -- Once a while is enough, whoever comes by.
    UPDATE settings SET swept = clock_timestamp() WHERE one IN
        (SELECT s.one FROM settings s WHERE s.swept < clock_timestamp() - s.lease / 6 FOR UPDATE SKIP LOCKED);
    IF NOT FOUND THEN RETURN 0; END IF;
    WITH gone AS (
        SELECT i.job, i.encounter, i.first FROM items i LEFT JOIN workers w ON w.id = i.worker
        WHERE i.state = 1 AND (w.id IS NULL OR w.until < clock_timestamp())
        FOR UPDATE OF i SKIP LOCKED
    )
    UPDATE items i SET state = 0, worker = NULL FROM gone g
    WHERE (i.job, i.encounter, i.first) = (g.job, g.encounter, g.first);
    GET DIAGNOSTICS freed = ROW_COUNT;
    IF freed > 0 THEN
        UPDATE jobs j SET state = 'paused', note = format('game %s.%s was begun %s times and never ended', i.encounter, i.first, i.attempts)
        FROM items i, settings s WHERE j.state = 'open' AND i.job = j.id AND i.state = 0 AND i.attempts >= s.attempts;
        DELETE FROM workers WHERE until < clock_timestamp() - interval '1 day';
        NOTIFY lianzi_work;
    END IF;
    RETURN freed;
END $$;

-- A worker lives, and has this to say. False if it is not known any more.
CREATE OR REPLACE FUNCTION beat(me bigint, said text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
DECLARE known boolean;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE workers SET until = clock_timestamp() + settings.lease, note = left(said, 2000) FROM settings WHERE workers.id = me;
    known := FOUND;
    PERFORM sweep();
    RETURN known;
END $$;

-- A worker goes; what it holds is free at once.
CREATE OR REPLACE FUNCTION leave(me bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
BEGIN
    UPDATE workers SET until = clock_timestamp() WHERE id = me;
    UPDATE items SET state = 0, worker = NULL, attempts = attempts - 1 WHERE state = 1 AND worker = me;
    IF FOUND THEN NOTIFY lianzi_work; END IF;
END $$;

-- A worker cannot play this item after all.
CREATE OR REPLACE FUNCTION release(me bigint, of_job bigint, of_encounter integer, of_first integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
BEGIN
    UPDATE items SET state = 0, worker = NULL
        WHERE (job, encounter, first) = (of_job, of_encounter, of_first) AND state = 1 AND worker = me;
    IF FOUND THEN NOTIFY lianzi_work; END IF;
END $$;

-- The next item of these jobs, the first of them first. A crash may forget that it was taken: then it is free again.
CREATE OR REPLACE FUNCTION claim(me bigint, wanted bigint[])
RETURNS SETOF items
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
DECLARE open_job bigint;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    FOR open_job IN SELECT j.id FROM jobs j WHERE j.state = 'open' AND j.id = ANY(wanted) ORDER BY j.id LOOP
        RETURN QUERY UPDATE items i SET state = 1, worker = me, attempts = i.attempts + 1
            WHERE (i.job, i.encounter, i.first) = (
                SELECT f.job, f.encounter, f.first FROM items f WHERE f.job = open_job AND f.state = 0
                ORDER BY f.number LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING i.*;
        IF FOUND THEN RETURN; END IF;
    END LOOP;
END $$;

-- A game has ended. It counts unless one of its name is there already. Says what became of its job: open, paused, done,
-- cancelled, or nothing if there is none any more.
CREATE OR REPLACE FUNCTION finish(me bigint, of_job bigint, of_encounter integer, of_first integer, of_game integer, outcome smallint, body bytea)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
DECLARE now_state text;
BEGIN
    SELECT j.state INTO now_state FROM jobs j WHERE j.id = of_job;
    IF now_state IS NULL OR now_state IN ('done', 'cancelled') THEN RETURN now_state; END IF;
    INSERT INTO games (job, encounter, game, outcome, body, worker)
        VALUES (of_job, of_encounter, of_game, finish.outcome, finish.body, me) ON CONFLICT DO NOTHING;
    IF FOUND THEN
        UPDATE items i SET stored = i.stored + 1,
            state = CASE WHEN i.stored + 1 >= i.count THEN 2 ELSE i.state END,
            worker = CASE WHEN i.stored + 1 >= i.count THEN NULL ELSE i.worker END
            WHERE (i.job, i.encounter, i.first) = (of_job, of_encounter, of_first)
            AND of_game >= i.first AND of_game < i.first + i.count;
        IF NOT FOUND THEN RAISE EXCEPTION 'job % has no game %.%', of_job, of_encounter, of_game; END IF;
        -- Notifications wait for one another: a few a second are enough.
        UPDATE beats SET told = clock_timestamp() WHERE job IN
            (SELECT b.job FROM beats b WHERE b.job = of_job AND b.told < clock_timestamp() - interval '200 milliseconds' FOR UPDATE SKIP LOCKED);
        IF FOUND THEN NOTIFY lianzi_games; END IF;
    END IF;
    RETURN now_state;
END $$;

-- Which of these jobs nobody looked after for so long; whoever asks looks after them now.
CREATE OR REPLACE FUNCTION plan_due(wanted bigint[], patience interval) RETURNS SETOF bigint
LANGUAGE sql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
    UPDATE beats SET planned = clock_timestamp() WHERE job IN (
        SELECT b.job FROM beats b JOIN jobs j ON j.id = b.job
        WHERE b.job = ANY(wanted) AND j.state = 'open' AND b.planned < clock_timestamp() - patience
        FOR UPDATE OF b SKIP LOCKED)
    RETURNING job
$$;

-- More items of a job, as JSON; those that are there stay.
CREATE OR REPLACE FUNCTION add_items(of_job bigint, list text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
DECLARE added bigint;
BEGIN
    INSERT INTO items (job, number, encounter, first, count, round, black, white, opening)
        SELECT of_job, l.number, l.encounter, l.first, l.count, l.round, l.seats[1], l.seats[2], l.opening
        FROM json_to_recordset(list::json) AS l
            (number bigint, encounter integer, first integer, count smallint, round integer, seats integer[], opening bigint)
        ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS added = ROW_COUNT;
    IF added > 0 THEN NOTIFY lianzi_work; END IF;
    RETURN added;
END $$;

-- All that counts is there: what is not played need not be.
CREATE OR REPLACE FUNCTION close_job(of_job bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
BEGIN
    UPDATE jobs SET state = 'done' WHERE id = of_job AND state IN ('open', 'paused');
    IF FOUND THEN
        DELETE FROM items WHERE job = of_job AND state <> 2 AND stored = 0;
        UPDATE items SET state = 2, worker = NULL WHERE job = of_job AND state <> 2;
        NOTIFY lianzi_work;
        NOTIFY lianzi_games;
    END IF;
END $$;

-- Stops a job for this reason.
CREATE OR REPLACE FUNCTION halt_job(of_job bigint, why text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
BEGIN
    UPDATE jobs SET state = 'cancelled', note = left(why, 2000) WHERE id = of_job AND state IN ('open', 'paused');
    IF FOUND THEN
        UPDATE items SET state = 0, worker = NULL WHERE job = of_job AND state = 1;
        NOTIFY lianzi_work;
        NOTIFY lianzi_games;
    END IF;
END $$;

-- Files a job, or finds the one that is there.
CREATE OR REPLACE FUNCTION file_job(print bytea, kind text, game text, title text, version text, body text, hashes bytea[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
DECLARE made bigint;
BEGIN
    INSERT INTO jobs (fingerprint, kind, game, title, version, body)
        VALUES (print, file_job.kind, file_job.game, file_job.title, file_job.version, file_job.body)
        ON CONFLICT (fingerprint) DO NOTHING RETURNING id INTO made;
    IF made IS NULL THEN
        SELECT id INTO made FROM jobs WHERE fingerprint = print;
    ELSE
        INSERT INTO beats (job) VALUES (made);
        INSERT INTO job_files SELECT made, h FROM unnest(hashes) AS h ON CONFLICT DO NOTHING;
    END IF;
    RETURN made;
END $$;

-- Pauses a job, lets it go on, or opens it again. Says whether it did.
CREATE OR REPLACE FUNCTION set_job(of_job bigint, wanted text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
DECLARE did boolean;
BEGIN
    UPDATE jobs SET state = wanted, note = '' WHERE id = of_job AND state <> wanted AND wanted IN ('open', 'paused');
    did := FOUND;
    IF did AND wanted = 'open' THEN
        UPDATE items SET attempts = 0 WHERE job = of_job AND state = 0 AND attempts > 0;
    END IF;
    NOTIFY lianzi_work;
    NOTIFY lianzi_games;
    RETURN did;
END $$;

-- Forgets a job with all its games, and the files that no other job needs.
CREATE OR REPLACE FUNCTION remove_job(of_job bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = lianzi, pg_temp AS $$
DECLARE was boolean;
BEGIN
    DELETE FROM jobs WHERE id = of_job;
    was := FOUND;
    DELETE FROM beats WHERE job = of_job;
    DELETE FROM items WHERE job = of_job;
    DELETE FROM games WHERE job = of_job;
    WITH mine AS (DELETE FROM job_files WHERE job = of_job RETURNING hash),
         lone AS (SELECT hash FROM mine WHERE NOT EXISTS (SELECT FROM job_files o WHERE o.hash = mine.hash AND o.job <> of_job)),
         bare AS (DELETE FROM files WHERE hash IN (SELECT hash FROM lone))
    DELETE FROM chunks WHERE hash IN (SELECT hash FROM lone);
    NOTIFY lianzi_work;
    NOTIFY lianzi_games;
    RETURN was;
END $$;

-- Who may do what: workers take games and write results, filers file contests besides.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA lianzi FROM PUBLIC;
GRANT USAGE ON SCHEMA lianzi TO lianzi_worker, lianzi_filer;
GRANT SELECT ON ALL TABLES IN SCHEMA lianzi TO lianzi_worker, lianzi_filer;
GRANT EXECUTE ON FUNCTION join_in, beat, leave, claim, release, finish, plan_due, add_items, close_job, halt_job TO lianzi_worker, lianzi_filer;
GRANT EXECUTE ON FUNCTION file_job, set_job, remove_job TO lianzi_filer;
GRANT INSERT ON files, chunks TO lianzi_filer;
