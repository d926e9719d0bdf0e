ALTER TABLE "billing_payment" DROP CONSTRAINT "billing_payment_method_known";
--> statement-breakpoint
DROP INDEX "billing_invoice_words";
--> statement-breakpoint
DROP INDEX "billing_invoice_total";
--> statement-breakpoint
DROP INDEX "billing_invoice_by_number_down";
--> statement-breakpoint
DROP INDEX "billing_invoice_by_number";
--> statement-breakpoint
DROP INDEX "billing_invoice_state";
--> statement-breakpoint
ALTER TABLE "billing_number" DROP COLUMN "last_at";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "words";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "edit";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "issuer";
--> statement-breakpoint
ALTER TABLE "billing_invoice" DROP COLUMN "issued_on";
