ALTER TABLE "billing_invoice" ADD COLUMN "recipient" jsonb;--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "due_on" date;
--> statement-breakpoint
-- Both are part of what was issued; of a patient whose data was erased the second goes, once the document is kept.
CREATE FUNCTION "billing_invoice_keep_terms"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.due_on IS DISTINCT FROM old.due_on
    OR (new.recipient IS NOT NULL OR new.patient_first_name <> '' OR new.patient_last_name <> '') THEN
    RAISE EXCEPTION 'invoice % is %: it cannot be changed', coalesce(old.number, old.id::text), old.status USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_invoice_keep_terms" BEFORE UPDATE ON "billing_invoice" FOR EACH ROW
  WHEN (old.status <> 'draft' AND (old.due_on, old.recipient) IS DISTINCT FROM (new.due_on, new.recipient))
  EXECUTE FUNCTION "billing_invoice_keep_terms"();
