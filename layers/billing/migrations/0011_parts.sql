DROP INDEX "billing_invoice_budget";--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "split_from_id" uuid;--> statement-breakpoint
ALTER TABLE "billing_invoice_line" ADD COLUMN "budget_item_id" uuid;--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_split_invoice" FOREIGN KEY ("split_from_id") REFERENCES "public"."billing_invoice"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "billing_invoice_first" ON "billing_invoice" USING btree ("clinic_id","budget_id") WHERE kind = 'invoice' and split_from_id is null;--> statement-breakpoint
CREATE INDEX "billing_invoice_of_budget" ON "billing_invoice" USING btree ("clinic_id","budget_id");--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_part" CHECK (split_from_id is null or (kind = 'invoice' and split_from_id <> id));
--> statement-breakpoint
-- A backup is loaded in one transaction that checks references at its end.
ALTER TABLE "billing_invoice" ALTER CONSTRAINT "billing_invoice_split_invoice" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
-- A draft can lose lines to another one, so the sums are compared once more when it gets its number.
CREATE FUNCTION "billing_invoice_parts"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  lines record;
BEGIN
  IF new.split_from_id IS DISTINCT FROM old.split_from_id THEN
    RAISE EXCEPTION 'invoice % cannot become a part of another draft', coalesce(old.number, old.id::text) USING ERRCODE = 'restrict_violation';
  END IF;
  IF old.number IS NULL AND new.number IS NOT NULL THEN
    SELECT coalesce(sum(l.price), 0) AS price, coalesce(sum(l.tax), 0) AS tax INTO lines
      FROM billing_invoice_line l WHERE l.invoice_id = new.id;
    IF (lines.price, lines.tax) IS DISTINCT FROM (new.total::numeric, new.tax_total::numeric) THEN
      RAISE EXCEPTION 'the total of invoice % is not the sum of its lines', new.number USING ERRCODE = 'restrict_violation';
    END IF;
  END IF;
  RETURN new;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_invoice_parts" BEFORE UPDATE ON "billing_invoice" FOR EACH ROW EXECUTE FUNCTION "billing_invoice_parts"();
