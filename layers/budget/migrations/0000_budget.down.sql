DROP TABLE "budget_access_log";
--> statement-breakpoint
DROP TABLE "budget_signature";
--> statement-breakpoint
DROP TABLE "budget_session";
--> statement-breakpoint
DROP TABLE "budget_link";
--> statement-breakpoint
DROP TABLE "budget_count";
--> statement-breakpoint
DROP TABLE "budget_number";
--> statement-breakpoint
DROP TABLE "budget_item";
--> statement-breakpoint
DROP TABLE "budget";
