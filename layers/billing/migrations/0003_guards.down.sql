DROP TRIGGER "billing_payment_keep" ON "billing_payment";
--> statement-breakpoint
DROP FUNCTION "billing_payment_keep"();
--> statement-breakpoint
DROP TRIGGER "billing_invoice_line_keep" ON "billing_invoice_line";
--> statement-breakpoint
DROP FUNCTION "billing_invoice_line_keep"();
--> statement-breakpoint
DROP TRIGGER "billing_invoice_keep" ON "billing_invoice";
--> statement-breakpoint
DROP FUNCTION "billing_invoice_keep"();
