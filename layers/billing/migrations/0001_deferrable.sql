-- A backup is loaded in one transaction that checks references at its end.
ALTER TABLE "billing_invoice_line" ALTER CONSTRAINT "billing_invoice_line_invoice" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
ALTER TABLE "billing_payment" ALTER CONSTRAINT "billing_payment_invoice" DEFERRABLE INITIALLY IMMEDIATE;
