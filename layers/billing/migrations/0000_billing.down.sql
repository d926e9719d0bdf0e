DROP TABLE "billing_payment";
--> statement-breakpoint
DROP TABLE "billing_number";
--> statement-breakpoint
DROP TABLE "billing_invoice_line";
--> statement-breakpoint
DROP TABLE "billing_invoice";
