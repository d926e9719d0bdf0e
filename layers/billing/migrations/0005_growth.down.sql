DROP INDEX "billing_invoice_held_file";
--> statement-breakpoint
DROP INDEX "billing_invoice_at";
