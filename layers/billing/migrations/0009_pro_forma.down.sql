DROP TRIGGER "billing_invoice_keep_title" ON "billing_invoice";
--> statement-breakpoint
DROP FUNCTION "billing_invoice_keep_title"();
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP CONSTRAINT "billing_invoice_pro_forma";
--> statement-breakpoint
DROP INDEX "billing_invoice_by_issue_down";
--> statement-breakpoint
DROP INDEX "billing_invoice_by_issue";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "pro_forma_reason";
--> statement-breakpoint
DROP TABLE "billing_pro_forma_number";
