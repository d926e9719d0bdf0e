ALTER TABLE "budget" ADD COLUMN "prices_include_tax" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- Lines are typed in one mode: read in the other, the same figures would be other prices.
CREATE FUNCTION "budget_keep_tax_mode"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'budget % version % keeps prices_include_tax as it was created', old.number, old.version USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "budget_keep_tax_mode" BEFORE UPDATE ON "budget" FOR EACH ROW WHEN (old.prices_include_tax IS DISTINCT FROM new.prices_include_tax) EXECUTE FUNCTION "budget_keep_tax_mode"();