-- What the program promises, the database keeps: a version other than a draft is immutable, accepted is final.
-- Foreign keys can wait for the end of a transaction, so that a restore may copy the tables in any order.
ALTER TABLE "budget_item" ALTER CONSTRAINT "budget_item_budget" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
ALTER TABLE "budget_link" ALTER CONSTRAINT "budget_link_budget" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
ALTER TABLE "budget_session" ALTER CONSTRAINT "budget_session_budget" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
ALTER TABLE "budget_signature" ALTER CONSTRAINT "budget_signature_budget_fk" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
ALTER TABLE "budget_access_log" ALTER CONSTRAINT "budget_access_log_budget" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
CREATE FUNCTION "budget_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.status <> 'draft' THEN
      RAISE EXCEPTION 'budget % version % is %: only a draft can be deleted', old.number, old.version, old.status USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN old;
  END IF;

  IF (new.id, new.clinic_id, new.number, new.version) IS DISTINCT FROM (old.id, old.clinic_id, old.number, old.version) THEN
    RAISE EXCEPTION 'budget % version % keeps its number, version and clinic', old.number, old.version USING ERRCODE = 'restrict_violation';
  END IF;

  -- The same table as server/domain/budget-state.ts.
  IF new.status <> old.status AND (old.status, new.status) NOT IN (
    ('draft', 'sent'), ('draft', 'cancelled'),
    ('sent', 'accepted'), ('sent', 'rejected'), ('sent', 'expired'), ('sent', 'cancelled'), ('sent', 'superseded'),
    ('rejected', 'superseded'), ('expired', 'superseded'), ('cancelled', 'superseded')
  ) THEN
    RAISE EXCEPTION 'budget % version % cannot go from % to %', old.number, old.version, old.status, new.status USING ERRCODE = 'restrict_violation';
  END IF;

  IF old.status <> 'draft' AND (
    new.patient_id, new.patient_first_name, new.patient_last_name, new.professional_id, new.professional_name,
    new.currency, new.locale, new.time_zone, new.valid_until, new.expires_at,
    new.discount_type, new.discount_value, new.original_total, new.total, new.tax_total,
    new.patient_notes, new.internal_notes, new.created_by, new.created_at, new.sent_at, new.revises_id
  ) IS DISTINCT FROM (
    old.patient_id, old.patient_first_name, old.patient_last_name, old.professional_id, old.professional_name,
    old.currency, old.locale, old.time_zone, old.valid_until, old.expires_at,
    old.discount_type, old.discount_value, old.original_total, old.total, old.tax_total,
    old.patient_notes, old.internal_notes, old.created_by, old.created_at, old.sent_at, old.revises_id
  ) THEN
    RAISE EXCEPTION 'budget % version % is %: a version other than a draft is immutable', old.number, old.version, old.status USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "budget_keep" BEFORE UPDATE OR DELETE ON "budget" FOR EACH ROW EXECUTE FUNCTION "budget_keep"();
--> statement-breakpoint
CREATE FUNCTION "budget_item_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parent record;
BEGIN
  -- The share lock holds back a sending that runs at the same time. A parent that is gone is a draft being deleted.
  FOR parent IN
    SELECT b.number, b.version, b.status FROM budget b
    WHERE b.id = CASE WHEN TG_OP = 'INSERT' THEN new.budget_id ELSE old.budget_id END
       OR (TG_OP = 'UPDATE' AND b.id = new.budget_id)
    FOR SHARE
  LOOP
    IF parent.status <> 'draft' THEN
      RAISE EXCEPTION 'budget % version % is %: its lines are immutable', parent.number, parent.version, parent.status USING ERRCODE = 'restrict_violation';
    END IF;
  END LOOP;
  IF TG_OP = 'DELETE' THEN
    RETURN old;
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "budget_item_keep" BEFORE INSERT OR UPDATE OR DELETE ON "budget_item" FOR EACH ROW EXECUTE FUNCTION "budget_item_keep"();
--> statement-breakpoint
CREATE FUNCTION "budget_count_moves"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO budget_count (clinic_id, status, n) SELECT clinic_id, status, count(*) FROM added GROUP BY clinic_id, status;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO budget_count (clinic_id, status, n) SELECT clinic_id, status, -count(*) FROM removed GROUP BY clinic_id, status;
  ELSIF TG_OP = 'TRUNCATE' THEN
    DELETE FROM budget_count;
  ELSE
    INSERT INTO budget_count (clinic_id, status, n) VALUES (old.clinic_id, old.status, -1), (new.clinic_id, new.status, 1);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "budget_count_added" AFTER INSERT ON "budget" REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "budget_count_moves"();
--> statement-breakpoint
CREATE TRIGGER "budget_count_removed" AFTER DELETE ON "budget" REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "budget_count_moves"();
--> statement-breakpoint
CREATE TRIGGER "budget_count_moved" AFTER UPDATE OF status ON "budget" FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status) EXECUTE FUNCTION "budget_count_moves"();
--> statement-breakpoint
CREATE TRIGGER "budget_count_emptied" AFTER TRUNCATE ON "budget" FOR EACH STATEMENT EXECUTE FUNCTION "budget_count_moves"();
