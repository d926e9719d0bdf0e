DROP TRIGGER "billing_invoice_keep_terms" ON "billing_invoice";
--> statement-breakpoint
DROP FUNCTION "billing_invoice_keep_terms"();
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "due_on";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "recipient";
