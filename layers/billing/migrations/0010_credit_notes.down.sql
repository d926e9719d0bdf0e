DROP TRIGGER "billing_invoice_line_credit" ON "billing_invoice_line";
--> statement-breakpoint
DROP FUNCTION "billing_invoice_line_credit"();
--> statement-breakpoint
DROP TRIGGER "billing_invoice_credit" ON "billing_invoice";
--> statement-breakpoint
DROP FUNCTION "billing_invoice_credit"();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "billing_payment_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parent record;
  paid bigint;
BEGIN
  -- The patient was erased: words about them go, the payment stays.
  IF TG_OP = 'UPDATE' AND new.note IS NULL
    AND (new.id, new.invoice_id, new.clinic_id, new.amount, new.method, new.paid_at, new.created_by, new.created_at, new.advance_id)
      IS NOT DISTINCT FROM (old.id, old.invoice_id, old.clinic_id, old.amount, old.method, old.paid_at, old.created_by, old.created_at, old.advance_id)
    AND EXISTS (SELECT FROM billing_invoice i WHERE i.id = old.invoice_id AND i.held_file IS NOT NULL) THEN
    RETURN new;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    RAISE EXCEPTION 'payment % is recorded: it cannot be changed or deleted', old.id USING ERRCODE = 'restrict_violation';
  END IF;
  -- Parallel payments of one invoice wait for one another here, so that each sees the sum that the one before left.
  SELECT i.id, i.number, i.status, i.total INTO parent FROM billing_invoice i WHERE i.id = new.invoice_id AND i.clinic_id = new.clinic_id FOR UPDATE;
  IF parent.status IS DISTINCT FROM 'issued' THEN
    RAISE EXCEPTION 'only an issued invoice takes payments' USING ERRCODE = 'restrict_violation';
  END IF;
  SELECT coalesce(sum(p.amount), 0) INTO paid FROM billing_payment p
    WHERE p.invoice_id = new.invoice_id AND NOT EXISTS (SELECT FROM billing_payment_reversal r WHERE r.payment_id = p.id);
  IF paid + new.amount > parent.total THEN
    RAISE EXCEPTION 'invoice % would be paid more than its total', parent.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "billing_invoice_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid bigint;
  erasing boolean;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.status <> 'draft' THEN
      RAISE EXCEPTION 'invoice % is %: only a draft can be deleted', coalesce(old.number, old.id::text), old.status USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN old;
  END IF;

  -- The same table as shared/domain/invoice-state.ts; an invoice that comes to nothing is paid when it is issued, and a
  -- paid one is due again when a payment is reversed.
  IF new.status <> old.status AND (old.status, new.status) NOT IN (
    ('draft', 'issued'), ('draft', 'paid'), ('draft', 'cancelled'), ('issued', 'paid'), ('issued', 'cancelled'), ('paid', 'issued')
  ) THEN
    RAISE EXCEPTION 'invoice % cannot go from % to %', coalesce(old.number, old.id::text), old.status, new.status USING ERRCODE = 'restrict_violation';
  END IF;

  -- The patient was erased: the name goes, once the document that had it is kept as a file. What has no number is no document.
  erasing := new.patient_first_name = '' AND new.patient_last_name = ''
    AND (old.number IS NULL OR (old.held_file IS NULL AND new.held_file IS NOT NULL));
  IF NOT erasing AND (
    new.held_file, new.held_sha256
  ) IS DISTINCT FROM (
    old.held_file, old.held_sha256
  ) THEN
    RAISE EXCEPTION 'invoice % is held: its file cannot be changed', coalesce(old.number, old.id::text) USING ERRCODE = 'restrict_violation';
  END IF;
  IF old.status <> 'draft' AND NOT erasing AND (
    new.patient_first_name, new.patient_last_name
  ) IS DISTINCT FROM (
    old.patient_first_name, old.patient_last_name
  ) THEN
    RAISE EXCEPTION 'invoice % is %: it cannot be changed', coalesce(old.number, old.id::text), old.status USING ERRCODE = 'restrict_violation';
  END IF;

  IF old.status <> 'draft' AND (
    new.id, new.clinic_id, new.number, new.budget_id, new.budget_number, new.budget_version,
    new.patient_id, new.currency, new.locale, new.total, new.tax_total,
    new.created_at, new.issued_at, new.issued_on, new.issued_by, new.issuer
  ) IS DISTINCT FROM (
    old.id, old.clinic_id, old.number, old.budget_id, old.budget_number, old.budget_version,
    old.patient_id, old.currency, old.locale, old.total, old.tax_total,
    old.created_at, old.issued_at, old.issued_on, old.issued_by, old.issuer
  ) THEN
    RAISE EXCEPTION 'invoice % is %: it cannot be changed', coalesce(old.number, old.id::text), old.status USING ERRCODE = 'restrict_violation';
  END IF;

  IF new.status <> old.status AND (new.status IN ('paid', 'cancelled') OR old.status = 'paid') THEN
    SELECT coalesce(sum(p.amount), 0) INTO paid FROM billing_payment p
    WHERE p.invoice_id = new.id AND NOT EXISTS (SELECT FROM billing_payment_reversal r WHERE r.payment_id = p.id);
    IF new.status = 'paid' AND paid <> new.total THEN
      RAISE EXCEPTION 'invoice % is not paid in full', coalesce(new.number, new.id::text) USING ERRCODE = 'restrict_violation';
    END IF;
    IF new.status = 'issued' AND paid = new.total THEN
      RAISE EXCEPTION 'invoice % is paid in full', coalesce(new.number, new.id::text) USING ERRCODE = 'restrict_violation';
    END IF;
    IF new.status = 'cancelled' AND paid > 0 THEN
      RAISE EXCEPTION 'invoice % has payments: it cannot be cancelled', coalesce(new.number, new.id::text) USING ERRCODE = 'restrict_violation';
    END IF;
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
-- The older schema has no credit notes: an invoice that they took back is a cancelled one.
ALTER TABLE "billing_invoice" DISABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE "billing_invoice_line" DISABLE TRIGGER USER;
--> statement-breakpoint
DELETE FROM "billing_invoice_line" WHERE "credits_line_id" IS NOT NULL;
--> statement-breakpoint
DELETE FROM "billing_invoice" WHERE "kind" = 'credit_note';
--> statement-breakpoint
UPDATE "billing_invoice" SET "status" = 'cancelled', "cancelled_at" = "updated_at" WHERE "status" = 'credited';
--> statement-breakpoint
ALTER TABLE "billing_invoice_line" ENABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE "billing_invoice" ENABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_money";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_issued";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_status_known";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_kind";
--> statement-breakpoint
DROP INDEX "billing_invoice_total";
--> statement-breakpoint
DROP INDEX "billing_invoice_line_credits";
--> statement-breakpoint
DROP INDEX "billing_invoice_budget";
--> statement-breakpoint
ALTER TABLE "billing_invoice_line" DROP COLUMN "credits_line_id";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "credited";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "credit_reason";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "credits_id";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "kind";
--> statement-breakpoint
CREATE INDEX "billing_invoice_total" ON "billing_invoice" USING btree ("clinic_id","total","id");
--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_money" CHECK (total >= 0 and tax_total >= 0);
--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_issued" CHECK ((number is null) = (issued_at is null) and (status not in ('issued','paid') or number is not null) and (status <> 'draft' or number is null));
--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_status_known" CHECK (status in ('draft','issued','paid','cancelled'));
--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_budget" UNIQUE("clinic_id","budget_id");
--> statement-breakpoint
DROP TABLE "billing_credit_number";
