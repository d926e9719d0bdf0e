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
  SELECT coalesce(sum(p.amount), 0) INTO paid FROM billing_payment p WHERE p.invoice_id = new.invoice_id;
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

  -- The same table as server/domain/invoice-state.ts; an invoice that comes to nothing is paid when it is issued.
  IF new.status <> old.status AND (old.status, new.status) NOT IN (
    ('draft', 'issued'), ('draft', 'paid'), ('draft', 'cancelled'), ('issued', 'paid'), ('issued', 'cancelled')
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

  IF new.status IN ('paid', 'cancelled') AND new.status <> old.status THEN
    SELECT coalesce(sum(p.amount), 0) INTO paid FROM billing_payment p WHERE p.invoice_id = new.id;
    IF new.status = 'paid' AND paid <> new.total THEN
      RAISE EXCEPTION 'invoice % is not paid in full', coalesce(new.number, new.id::text) USING ERRCODE = 'restrict_violation';
    END IF;
    IF new.status = 'cancelled' AND paid > 0 THEN
      RAISE EXCEPTION 'invoice % has payments: it cannot be cancelled', coalesce(new.number, new.id::text) USING ERRCODE = 'restrict_violation';
    END IF;
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
DROP TABLE "billing_payment_reversal";
--> statement-breakpoint
DROP FUNCTION "billing_payment_reversal_keep"();
