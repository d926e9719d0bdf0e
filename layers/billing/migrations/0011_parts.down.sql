DROP TRIGGER "billing_invoice_parts" ON "billing_invoice";
--> statement-breakpoint
DROP FUNCTION "billing_invoice_parts"();
--> statement-breakpoint
-- The older schema has one invoice for each budget. Parts keep their lines, numbers and payments, and name no budget.
ALTER TABLE "billing_invoice" DISABLE TRIGGER USER;
--> statement-breakpoint
UPDATE "billing_invoice" SET "budget_id" = "id" WHERE "split_from_id" IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "billing_invoice" ENABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_part";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_split_invoice";
--> statement-breakpoint
DROP INDEX "billing_invoice_of_budget";
--> statement-breakpoint
DROP INDEX "billing_invoice_first";
--> statement-breakpoint
ALTER TABLE "billing_invoice_line" DROP COLUMN "budget_item_id";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "split_from_id";
--> statement-breakpoint
CREATE UNIQUE INDEX "billing_invoice_budget" ON "billing_invoice" USING btree ("clinic_id","budget_id") WHERE kind = 'invoice';
