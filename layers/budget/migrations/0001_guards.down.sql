DROP TRIGGER "budget_count_emptied" ON "budget";
--> statement-breakpoint
DROP TRIGGER "budget_count_moved" ON "budget";
--> statement-breakpoint
DROP TRIGGER "budget_count_removed" ON "budget";
--> statement-breakpoint
DROP TRIGGER "budget_count_added" ON "budget";
--> statement-breakpoint
DROP FUNCTION "budget_count_moves"();
--> statement-breakpoint
DROP TRIGGER "budget_item_keep" ON "budget_item";
--> statement-breakpoint
DROP FUNCTION "budget_item_keep"();
--> statement-breakpoint
DROP TRIGGER "budget_keep" ON "budget";
--> statement-breakpoint
DROP FUNCTION "budget_keep"();
--> statement-breakpoint
ALTER TABLE "budget_access_log" ALTER CONSTRAINT "budget_access_log_budget" NOT DEFERRABLE;
--> statement-breakpoint
ALTER TABLE "budget_signature" ALTER CONSTRAINT "budget_signature_budget_fk" NOT DEFERRABLE;
--> statement-breakpoint
ALTER TABLE "budget_session" ALTER CONSTRAINT "budget_session_budget" NOT DEFERRABLE;
--> statement-breakpoint
ALTER TABLE "budget_link" ALTER CONSTRAINT "budget_link_budget" NOT DEFERRABLE;
--> statement-breakpoint
ALTER TABLE "budget_item" ALTER CONSTRAINT "budget_item_budget" NOT DEFERRABLE;
