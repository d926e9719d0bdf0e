DROP TABLE "payments_refund";
--> statement-breakpoint
DROP TABLE "payments_attempt";
--> statement-breakpoint
DROP TABLE "payments_request";
--> statement-breakpoint
DROP TABLE "payments_terms";
