CREATE TABLE "billing_pro_forma_number" (
	"clinic_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "billing_pro_forma_number_pkey" PRIMARY KEY("clinic_id","year")
);
--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "pro_forma_reason" text;--> statement-breakpoint
CREATE INDEX "billing_invoice_by_issue" ON "billing_invoice" USING btree ("clinic_id","issued_at",length(number),"number","id");--> statement-breakpoint
CREATE INDEX "billing_invoice_by_issue_down" ON "billing_invoice" USING btree ("clinic_id","issued_at" DESC NULLS LAST,length(number) desc nulls last,"number" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD CONSTRAINT "billing_invoice_pro_forma" CHECK ((pro_forma_reason is null) = (number is null or number not like 'PF-%')
        and pro_forma_reason in ('no_tax_number','certified_program','verifactu'));
--> statement-breakpoint
-- The title is part of what was issued.
CREATE FUNCTION "billing_invoice_keep_title"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'invoice % is %: it cannot be changed', coalesce(old.number, old.id::text), old.status USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER "billing_invoice_keep_title" BEFORE UPDATE ON "billing_invoice" FOR EACH ROW
  WHEN (old.status <> 'draft' AND old.pro_forma_reason IS DISTINCT FROM new.pro_forma_reason)
  EXECUTE FUNCTION "billing_invoice_keep_title"();
