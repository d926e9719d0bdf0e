CREATE TABLE "billing_receipt_number" (
	"clinic_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "billing_receipt_number_pkey" PRIMARY KEY("clinic_id","year")
);
--> statement-breakpoint
CREATE TABLE "billing_advance" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"number" text NOT NULL,
	"budget_id" uuid NOT NULL,
	"budget_number" text NOT NULL,
	"patient_id" uuid NOT NULL,
	"patient_first_name" text NOT NULL,
	"patient_last_name" text NOT NULL,
	"currency" text NOT NULL,
	"locale" text NOT NULL,
	"amount" bigint NOT NULL,
	"balance" bigint NOT NULL,
	"returned" bigint DEFAULT 0 NOT NULL,
	"method" text NOT NULL,
	"reference" text,
	"note" text,
	"paid_at" timestamp with time zone NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"issued_on" date NOT NULL,
	"issuer" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"held_file" text,
	"held_sha256" text,
	"edit" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "billing_advance_number" UNIQUE("clinic_id","number"),
	CONSTRAINT "billing_advance_money" CHECK (amount > 0 and balance >= 0 and returned >= 0 and balance + returned <= amount),
	CONSTRAINT "billing_advance_method_known" CHECK (method in ('cash','card','transfer','other')),
	CONSTRAINT "billing_advance_held" CHECK ((held_file is null) = (held_sha256 is null))
);
--> statement-breakpoint
CREATE TABLE "billing_advance_reversal" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"advance_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"reason" text,
	"reversed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reversed_by" uuid,
	CONSTRAINT "billing_advance_reversal_amount" CHECK (amount > 0)
);
--> statement-breakpoint
ALTER TABLE "billing_payment" ADD COLUMN "advance_id" uuid;--> statement-breakpoint
ALTER TABLE "billing_advance_reversal" ADD CONSTRAINT "billing_advance_reversal_advance" FOREIGN KEY ("advance_id") REFERENCES "public"."billing_advance"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_advance_list" ON "billing_advance" USING btree ("clinic_id","paid_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_advance_budget" ON "billing_advance" USING btree ("clinic_id","budget_number","paid_at","id");--> statement-breakpoint
CREATE INDEX "billing_advance_patient" ON "billing_advance" USING btree ("clinic_id","patient_id","paid_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_advance_open" ON "billing_advance" USING btree ("clinic_id","paid_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE balance > 0;--> statement-breakpoint
CREATE INDEX "billing_advance_held_file" ON "billing_advance" USING btree ("number","id") WHERE held_file is not null;--> statement-breakpoint
CREATE INDEX "billing_advance_reversal_advance" ON "billing_advance_reversal" USING btree ("advance_id");--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_advance" FOREIGN KEY ("advance_id") REFERENCES "public"."billing_advance"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_invoice_budget_number" ON "billing_invoice" USING btree ("clinic_id","budget_number");--> statement-breakpoint
CREATE INDEX "billing_payment_advance" ON "billing_payment" USING btree ("advance_id") WHERE advance_id is not null;
--> statement-breakpoint
-- A backup is loaded in one transaction that checks references at its end.
ALTER TABLE "billing_payment" ALTER CONSTRAINT "billing_payment_advance" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
ALTER TABLE "billing_advance_reversal" ALTER CONSTRAINT "billing_advance_reversal_advance" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
CREATE FUNCTION "billing_advance_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  used bigint;
  given_back bigint;
  erasing boolean;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF new.balance <> new.amount OR new.returned <> 0 OR new.held_file IS NOT NULL THEN
      RAISE EXCEPTION 'advance % must begin with its whole amount', new.number USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN new;
  END IF;

  -- The patient was erased: the name goes, once the receipt that had it is kept as a file.
  erasing := TG_OP = 'UPDATE' AND new.patient_first_name = '' AND new.patient_last_name = '' AND new.note IS NULL AND new.reference IS NULL
    AND (old.held_file IS NOT NULL OR new.held_file IS NOT NULL);
  IF TG_OP = 'DELETE'
    OR (new.id, new.clinic_id, new.number, new.budget_id, new.budget_number, new.patient_id, new.currency, new.locale, new.amount,
        new.method, new.paid_at, new.issued_at, new.issued_on, new.issuer, new.created_by, new.created_at)
      IS DISTINCT FROM (old.id, old.clinic_id, old.number, old.budget_id, old.budget_number, old.patient_id, old.currency, old.locale, old.amount,
        old.method, old.paid_at, old.issued_at, old.issued_on, old.issuer, old.created_by, old.created_at)
    OR (NOT erasing AND (new.patient_first_name, new.patient_last_name, new.note, new.reference, new.held_file, new.held_sha256)
      IS DISTINCT FROM (old.patient_first_name, old.patient_last_name, old.note, old.reference, old.held_file, old.held_sha256))
    OR (old.held_file IS NOT NULL AND (new.held_file, new.held_sha256) IS DISTINCT FROM (old.held_file, old.held_sha256)) THEN
    RAISE EXCEPTION 'advance % is recorded: it cannot be changed or deleted', old.number USING ERRCODE = 'restrict_violation';
  END IF;

  -- The balance follows from the rows that moved money, whoever writes it.
  IF (new.balance, new.returned) IS DISTINCT FROM (old.balance, old.returned) THEN
    SELECT coalesce(sum(p.amount), 0) INTO used FROM billing_payment p
      WHERE p.advance_id = new.id AND NOT EXISTS (SELECT FROM billing_payment_reversal r WHERE r.payment_id = p.id);
    SELECT coalesce(sum(r.amount), 0) INTO given_back FROM billing_advance_reversal r WHERE r.advance_id = new.id;
    IF new.returned <> given_back OR new.balance <> new.amount - used - given_back THEN
      RAISE EXCEPTION 'the balance of advance % follows from its payments and returns', old.number USING ERRCODE = 'restrict_violation';
    END IF;
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_advance_keep" BEFORE INSERT OR UPDATE OR DELETE ON "billing_advance" FOR EACH ROW EXECUTE FUNCTION "billing_advance_keep"();
--> statement-breakpoint
CREATE FUNCTION "billing_advance_reversal_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The patient was erased: words about them go, the reversal stays.
  IF TG_OP = 'UPDATE' AND new.reason IS NULL
    AND (new.id, new.advance_id, new.clinic_id, new.amount, new.reversed_at, new.reversed_by)
      IS NOT DISTINCT FROM (old.id, old.advance_id, old.clinic_id, old.amount, old.reversed_at, old.reversed_by)
    AND EXISTS (SELECT FROM billing_advance a WHERE a.id = old.advance_id AND a.held_file IS NOT NULL) THEN
    RETURN new;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    RAISE EXCEPTION 'reversal % of an advance cannot be changed or deleted', old.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_advance_reversal_keep" BEFORE INSERT OR UPDATE OR DELETE ON "billing_advance_reversal" FOR EACH ROW EXECUTE FUNCTION "billing_advance_reversal_keep"();
--> statement-breakpoint
-- Each row that moves money changes the balance of its advance, under the advance's lock. A balance below zero is refused.
CREATE FUNCTION "billing_advance_return"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE billing_advance a SET balance = a.balance - new.amount, returned = a.returned + new.amount, edit = a.edit + 1
    WHERE a.id = new.advance_id AND a.clinic_id = new.clinic_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no advance % in this clinic', new.advance_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_advance_return" AFTER INSERT ON "billing_advance_reversal" FOR EACH ROW EXECUTE FUNCTION "billing_advance_return"();
--> statement-breakpoint
CREATE FUNCTION "billing_advance_apply"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE billing_advance a SET balance = a.balance - new.amount, edit = a.edit + 1 FROM billing_invoice i
    WHERE a.id = new.advance_id AND a.clinic_id = new.clinic_id
      AND i.id = new.invoice_id AND i.budget_number = a.budget_number AND i.currency = a.currency;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'advance % belongs to another budget', new.advance_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_advance_apply" AFTER INSERT ON "billing_payment" FOR EACH ROW
  WHEN (new.advance_id IS NOT NULL) EXECUTE FUNCTION "billing_advance_apply"();
--> statement-breakpoint
CREATE FUNCTION "billing_advance_put_back"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE billing_advance a SET balance = a.balance + p.amount, edit = a.edit + 1 FROM billing_payment p
    WHERE p.id = new.payment_id AND a.id = p.advance_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_advance_put_back" AFTER INSERT ON "billing_payment_reversal" FOR EACH ROW EXECUTE FUNCTION "billing_advance_put_back"();
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
