CREATE OR REPLACE FUNCTION "budget_item_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE FUNCTION "budget_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
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
ALTER TABLE "budget_signature" DROP COLUMN "evidence_sha256";
--> statement-breakpoint
ALTER TABLE "budget_signature" DROP COLUMN "evidence_key";
--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "erased_seal";
--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "erased_at";
--> statement-breakpoint
DROP TABLE "budget_log_checkpoint";
