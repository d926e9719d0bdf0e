ALTER TABLE "budget" ADD COLUMN "professional_license" text;
--> statement-breakpoint
-- Part of what was sent.
CREATE FUNCTION "budget_keep_license"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'budget % version % is %: a version other than a draft is immutable', old.number, old.version, old.status USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "budget_keep_license" BEFORE UPDATE OF "professional_license" ON "budget" FOR EACH ROW WHEN (old.status <> 'draft' AND old.professional_license IS DISTINCT FROM new.professional_license) EXECUTE FUNCTION "budget_keep_license"();
