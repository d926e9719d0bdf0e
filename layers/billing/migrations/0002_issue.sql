ALTER TABLE "billing_invoice" ADD COLUMN "issued_on" date;--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "issuer" jsonb;--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "edit" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_invoice" ADD COLUMN "words" "tsvector" GENERATED ALWAYS AS (array_to_tsvector(string_to_array(btrim(regexp_replace(lower(regexp_replace(normalize(coalesce(number, '') || ' ' || budget_number || ' ' || patient_first_name || ' ' || patient_last_name, NFKD), '[\u0300-\u036f]', '', 'g')) || ' ' || replace(lower(regexp_replace(normalize(coalesce(number, '') || ' ' || budget_number || ' ' || patient_first_name || ' ' || patient_last_name, NFKD), '[\u0300-\u036f]', '', 'g')), '-', ' ') || ' ' || coalesce(ltrim(split_part(number, '-', 3), '0'), '') || ' ' || ltrim(split_part(budget_number, '-', 3), '0'), '\s+', ' ', 'g')), ' '))) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_number" ADD COLUMN "last_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
CREATE INDEX "billing_invoice_state" ON "billing_invoice" USING btree ("clinic_id","status","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_invoice_by_number" ON "billing_invoice" USING btree ("clinic_id",left(number, 8),length(number),"number","id");--> statement-breakpoint
CREATE INDEX "billing_invoice_by_number_down" ON "billing_invoice" USING btree ("clinic_id",left(number, 8) desc nulls last,length(number) desc nulls last,"number" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_invoice_total" ON "billing_invoice" USING btree ("clinic_id","total","id");--> statement-breakpoint
CREATE INDEX "billing_invoice_words" ON "billing_invoice" USING gin ("words");--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_method_known" CHECK (method in ('cash','card','transfer','other'));