DROP INDEX "billing_invoice_budget_number";
--> statement-breakpoint
DROP TRIGGER "billing_advance_put_back" ON "billing_payment_reversal";
--> statement-breakpoint
DROP TRIGGER "billing_advance_apply" ON "billing_payment";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "billing_payment_keep"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parent record;
  paid bigint;
BEGIN
  -- The patient was erased: words about them go, the payment stays.
  IF TG_OP = 'UPDATE' AND new.note IS NULL
    AND (new.id, new.invoice_id, new.clinic_id, new.amount, new.method, new.paid_at, new.created_by, new.created_at)
      IS NOT DISTINCT FROM (old.id, old.invoice_id, old.clinic_id, old.amount, old.method, old.paid_at, old.created_by, old.created_at)
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
ALTER TABLE "billing_payment" DROP COLUMN "advance_id";
--> statement-breakpoint
DROP TABLE "billing_advance_reversal";
--> statement-breakpoint
DROP TABLE "billing_advance";
--> statement-breakpoint
DROP TABLE "billing_receipt_number";
--> statement-breakpoint
DROP FUNCTION "billing_advance_put_back"();
--> statement-breakpoint
DROP FUNCTION "billing_advance_apply"();
--> statement-breakpoint
DROP FUNCTION "billing_advance_return"();
--> statement-breakpoint
DROP FUNCTION "billing_advance_reversal_keep"();
--> statement-breakpoint
DROP FUNCTION "billing_advance_keep"();
