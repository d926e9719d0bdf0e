CREATE TABLE "billing_credit_number" (
	"clinic_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "billing_credit_number_pkey" PRIMARY KEY("clinic_id","year")
);
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_budget";--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_status_known";--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_issued";--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_money";--> statement-breakpoint
DROP INDEX "billing_invoice_total";--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "kind" text DEFAULT 'invoice' NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "credits_id" uuid;--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "credit_reason" text;--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "credited" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_invoice_line" ADD COLUMN "credits_line_id" uuid;--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_credited_invoice" FOREIGN KEY ("credits_id") REFERENCES "public"."billing_invoice"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "billing_invoice_budget" ON "billing_invoice" USING btree ("clinic_id","budget_id") WHERE kind = 'invoice';--> statement-breakpoint
CREATE INDEX "billing_invoice_credits" ON "billing_invoice" USING btree ("credits_id") WHERE credits_id is not null;--> statement-breakpoint
CREATE INDEX "billing_invoice_line_credits" ON "billing_invoice_line" USING btree ("credits_line_id") WHERE credits_line_id is not null;--> statement-breakpoint
CREATE INDEX "billing_invoice_total" ON "billing_invoice" USING btree ("clinic_id",(case when kind = 'credit_note' then -total else total end),"id");--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_kind" CHECK (kind in ('invoice','credit_note') and (kind = 'credit_note') = (credits_id is not null)
        and (kind = 'invoice' or credited = 0) and (kind = 'credit_note' or credit_reason is null));--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_status_known" CHECK (status in ('draft','issued','paid','cancelled','credited'));--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_issued" CHECK ((number is null) = (issued_at is null) and (status not in ('issued','paid','credited') or number is not null) and (status <> 'draft' or number is null));--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_money" CHECK (total >= 0 and tax_total >= 0 and credited between 0 and total);
--> statement-breakpoint
-- A backup is loaded in one transaction that checks references at its end.
ALTER TABLE "billing_invoice" ALTER CONSTRAINT "billing_invoice_credited_invoice" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "billing_invoice_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid bigint;
  taken_off bigint;
  erasing boolean;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF old.status <> 'draft' THEN
      RAISE EXCEPTION 'invoice % is %: only a draft can be deleted', coalesce(old.number, old.id::text), old.status USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN old;
  END IF;

  -- The same table as shared/domain/invoice-state.ts. An invoice with a total of zero is paid when it is issued, and a
  -- paid one is due again when a payment is reversed. Only a credit note takes an issued invoice back.
  IF new.status <> old.status AND (old.status, new.status) NOT IN (
    ('draft', 'issued'), ('draft', 'paid'), ('draft', 'cancelled'), ('issued', 'paid'), ('issued', 'credited'), ('paid', 'credited'), ('paid', 'issued')
  ) THEN
    RAISE EXCEPTION 'invoice % cannot go from % to %', coalesce(old.number, old.id::text), old.status, new.status USING ERRCODE = 'restrict_violation';
  END IF;
  IF new.kind = 'credit_note' AND new.status IN ('paid', 'credited') THEN
    RAISE EXCEPTION 'credit note % cannot be %', coalesce(old.number, old.id::text), new.status USING ERRCODE = 'restrict_violation';
  END IF;
  IF (new.kind, new.credits_id) IS DISTINCT FROM (old.kind, old.credits_id) THEN
    RAISE EXCEPTION 'invoice % cannot become another document', coalesce(old.number, old.id::text) USING ERRCODE = 'restrict_violation';
  END IF;
  IF old.status <> 'draft' AND new.credit_reason IS DISTINCT FROM old.credit_reason
    AND NOT (new.credit_reason IS NULL AND new.patient_first_name = '' AND new.patient_last_name = '') THEN
    RAISE EXCEPTION 'invoice % is %: it cannot be changed', coalesce(old.number, old.id::text), old.status USING ERRCODE = 'restrict_violation';
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

  IF (new.status, new.credited) IS DISTINCT FROM (old.status, old.credited) THEN
    SELECT coalesce(sum(p.amount), 0) INTO paid FROM billing_payment p
    WHERE p.invoice_id = new.id AND NOT EXISTS (SELECT FROM billing_payment_reversal r WHERE r.payment_id = p.id);
    SELECT coalesce(sum(c.total), 0) INTO taken_off FROM billing_invoice c WHERE c.credits_id = new.id AND c.status = 'issued';
    IF new.credited <> taken_off THEN
      RAISE EXCEPTION 'what is credited of invoice % follows from its credit notes', coalesce(new.number, new.id::text) USING ERRCODE = 'restrict_violation';
    END IF;
    IF paid > new.total - new.credited THEN
      RAISE EXCEPTION 'invoice % is paid beyond what is left of it', coalesce(new.number, new.id::text) USING ERRCODE = 'restrict_violation';
    END IF;
    IF new.status = 'credited' AND (new.credited <> new.total OR new.total = 0) THEN
      RAISE EXCEPTION 'invoice % is not credited in full', coalesce(new.number, new.id::text) USING ERRCODE = 'restrict_violation';
    END IF;
    IF new.status = 'paid' AND (paid <> new.total - new.credited OR (new.credited = new.total AND new.total > 0)) THEN
      RAISE EXCEPTION 'invoice % is not paid in full', coalesce(new.number, new.id::text) USING ERRCODE = 'restrict_violation';
    END IF;
    IF new.kind = 'invoice' AND new.status = 'issued' AND old.status <> 'draft' AND paid = new.total - new.credited THEN
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
  SELECT i.id, i.number, i.status, i.total - i.credited AS rest INTO parent FROM billing_invoice i
    WHERE i.id = new.invoice_id AND i.clinic_id = new.clinic_id AND i.kind = 'invoice' FOR UPDATE;
  IF parent.status IS DISTINCT FROM 'issued' THEN
    RAISE EXCEPTION 'only an issued invoice takes payments' USING ERRCODE = 'restrict_violation';
  END IF;
  SELECT coalesce(sum(p.amount), 0) INTO paid FROM billing_payment p
    WHERE p.invoice_id = new.invoice_id AND NOT EXISTS (SELECT FROM billing_payment_reversal r WHERE r.payment_id = p.id);
  IF paid + new.amount > parent.rest THEN
    RAISE EXCEPTION 'invoice % would be paid more than its total', parent.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
-- An issued credit note is taken off its invoice in the same statement.
CREATE FUNCTION "billing_invoice_credit"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  paid bigint;
BEGIN
  SELECT coalesce(sum(p.amount), 0) INTO paid FROM billing_payment p
  WHERE p.invoice_id = new.credits_id AND NOT EXISTS (SELECT FROM billing_payment_reversal r WHERE r.payment_id = p.id);
  UPDATE billing_invoice i SET credited = i.credited + new.total, edit = i.edit + 1, updated_at = now(),
    status = CASE WHEN i.total > 0 AND i.credited + new.total = i.total THEN 'credited'
      WHEN paid = i.total - i.credited - new.total THEN 'paid' ELSE 'issued' END
  WHERE i.id = new.credits_id AND i.clinic_id = new.clinic_id AND i.kind = 'invoice' AND i.status IN ('issued', 'paid')
    AND i.budget_number = new.budget_number AND i.currency = new.currency;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'credit note % credits no issued invoice', new.number USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_invoice_credit" AFTER UPDATE ON "billing_invoice" FOR EACH ROW
  WHEN (new.kind = 'credit_note' AND old.status = 'draft' AND new.status = 'issued') EXECUTE FUNCTION "billing_invoice_credit"();
--> statement-breakpoint
-- No line is credited twice. The invoice's lock makes credit notes of the same invoice wait for one another.
CREATE FUNCTION "billing_invoice_line_credit"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  line record;
  taken record;
BEGIN
  SELECT l.price, l.tax, l.vat, l.quantity INTO line FROM billing_invoice_line l
    JOIN billing_invoice i ON i.id = l.invoice_id
    JOIN billing_invoice c ON c.credits_id = i.id AND c.clinic_id = i.clinic_id
    WHERE l.id = new.credits_line_id AND c.id = new.invoice_id FOR UPDATE OF i;
  IF NOT FOUND OR line.vat <> new.vat THEN
    RAISE EXCEPTION 'line % is not of the invoice that is credited', new.credits_line_id USING ERRCODE = 'restrict_violation';
  END IF;
  SELECT coalesce(sum(l.price), 0) AS price, coalesce(sum(l.tax), 0) AS tax, coalesce(sum(l.quantity), 0) AS quantity INTO taken
    FROM billing_invoice_line l JOIN billing_invoice c ON c.id = l.invoice_id
    WHERE l.credits_line_id = new.credits_line_id AND c.status <> 'cancelled' AND l.id <> new.id;
  IF taken.price + new.price > line.price OR taken.tax + new.tax > line.tax OR taken.quantity + new.quantity > line.quantity THEN
    RAISE EXCEPTION 'line % would be credited twice', new.credits_line_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_invoice_line_credit" BEFORE INSERT OR UPDATE ON "billing_invoice_line" FOR EACH ROW
  WHEN (new.credits_line_id IS NOT NULL) EXECUTE FUNCTION "billing_invoice_line_credit"();
