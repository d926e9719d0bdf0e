-- The tables that the job library made for us, which our comment on the schema shows. The deliveries are in our own
-- tables, so nothing is lost. Instances of the release before may still run during a rollout: they call the one function
-- that stays, and it sends a notice to the instances of this release.
DO $$
BEGIN
  IF coalesce(obj_description(to_regnamespace('graphile_worker'), 'pg_namespace'), '') NOT LIKE 'graphile-worker %' THEN
    RETURN;
  END IF;
  DROP SCHEMA graphile_worker CASCADE;
  CREATE SCHEMA graphile_worker;
  CREATE FUNCTION graphile_worker.add_job(identifier text, payload json DEFAULT NULL, run_at timestamptz DEFAULT NULL)
    RETURNS text LANGUAGE sql
    AS 'SELECT pg_notify(''svc_work'', CASE WHEN octet_length(payload::text) < 8000 THEN payload::text ELSE '''' END)::text';
END $$;
--> statement-breakpoint
DELETE FROM "core_schedule" WHERE "module_name" = 'core' AND "name" = 'sweep';
