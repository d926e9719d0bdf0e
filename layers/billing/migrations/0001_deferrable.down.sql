ALTER TABLE "billing_payment" ALTER CONSTRAINT "billing_payment_invoice" NOT DEFERRABLE;
--> statement-breakpoint
ALTER TABLE "billing_invoice_line" ALTER CONSTRAINT "billing_invoice_line_invoice" NOT DEFERRABLE;
