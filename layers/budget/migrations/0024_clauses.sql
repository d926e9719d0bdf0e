ALTER TABLE "budget" ADD COLUMN "clauses" jsonb;
--> statement-breakpoint
-- Part of what was sent. The texts can name the patient, so they are emptied with the patient's other data.
CREATE FUNCTION "budget_keep_clauses"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'budget % version % is %: a version other than a draft is immutable', old.number, old.version, old.status USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "budget_keep_clauses" BEFORE UPDATE OF "clauses" ON "budget" FOR EACH ROW WHEN (
  old.status <> 'draft' AND old.clauses IS DISTINCT FROM new.clauses AND (old.erased_at IS NOT NULL OR new.erased_at IS NULL)
) EXECUTE FUNCTION "budget_keep_clauses"();
