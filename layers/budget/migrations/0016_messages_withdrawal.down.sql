DROP TABLE "budget_message";
--> statement-breakpoint
DROP FUNCTION "budget_message_keep"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "budget_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_choosing boolean;
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
    new.patient_id, new.professional_id, new.professional_name,
    new.currency, new.locale, new.time_zone, new.valid_until, new.expires_at,
    new.discount_type, new.discount_value,
    new.created_by, new.created_at, new.sent_at, new.revises_id
  ) IS DISTINCT FROM (
    old.patient_id, old.professional_id, old.professional_name,
    old.currency, old.locale, old.time_zone, old.valid_until, old.expires_at,
    old.discount_type, old.discount_value,
    old.created_by, old.created_at, old.sent_at, old.revises_id
  ) THEN
    RAISE EXCEPTION 'budget % version % is %: a version other than a draft is immutable', old.number, old.version, old.status USING ERRCODE = 'restrict_violation';
  END IF;

  -- The offer stays as it was sent. Its acceptance, and nothing else, says what was chosen, and whose totals these are.
  is_choosing := old.status = 'sent' AND new.status = 'accepted' AND old.choices IS NOT NULL;
  IF old.status <> 'draft' AND (
    (new.price_from, new.price_to) IS DISTINCT FROM (old.price_from, old.price_to)
    OR (new.choices IS DISTINCT FROM old.choices AND (old.erased_at IS NOT NULL OR new.erased_at IS NULL))
    OR (NOT is_choosing AND (new.original_total, new.total, new.tax_total) IS DISTINCT FROM (old.original_total, old.total, old.tax_total))
  ) THEN
    RAISE EXCEPTION 'budget % version % is %: a version other than a draft is immutable', old.number, old.version, old.status USING ERRCODE = 'restrict_violation';
  END IF;
  IF is_choosing <> (new.selection IS DISTINCT FROM old.selection) THEN
    RAISE EXCEPTION 'budget % version % gets its selection when it is accepted, and keeps it', old.number, old.version USING ERRCODE = 'restrict_violation';
  END IF;

  -- What is personal is immutable too, but for one thing: it is emptied, all of it, in the update that says so for good.
  IF (new.erased_at, new.erased_seal) IS DISTINCT FROM (old.erased_at, old.erased_seal) THEN
    IF old.erased_at IS NOT NULL OR new.erased_at IS NULL OR new.status IN ('draft', 'sent')
      OR (new.patient_first_name, new.patient_last_name, new.patient_notes, new.internal_notes) IS DISTINCT FROM ('', '', NULL::text, NULL::text)
    THEN
      RAISE EXCEPTION 'budget % version % is erased once, whole, and when it is closed', old.number, old.version USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF old.status <> 'draft'
    AND (new.patient_first_name, new.patient_last_name, new.patient_notes, new.internal_notes)
      IS DISTINCT FROM (old.patient_first_name, old.patient_last_name, old.patient_notes, old.internal_notes)
  THEN
    RAISE EXCEPTION 'budget % version % is %: a version other than a draft is immutable', old.number, old.version, old.status USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
DROP TRIGGER "budget_keep" ON "budget";
--> statement-breakpoint
CREATE TRIGGER "budget_keep" BEFORE DELETE OR UPDATE OF
  "id", "clinic_id", "number", "version", "status", "patient_id", "patient_first_name", "patient_last_name", "professional_id", "professional_name",
  "currency", "locale", "time_zone", "valid_until", "expires_at", "discount_type", "discount_value", "original_total", "total", "tax_total",
  "patient_notes", "internal_notes", "created_by", "created_at", "sent_at", "revises_id", "erased_at", "erased_seal",
  "choices", "price_from", "price_to", "selection"
ON "budget" FOR EACH ROW EXECUTE FUNCTION "budget_keep"();
--> statement-breakpoint
DROP INDEX "budget_withdrawn_invoiced";--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "withdrawn_invoiced";--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "withdrawal_reason";--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "withdrawal_requested_by";--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "withdrawn_by";--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "withdrawn_at";
