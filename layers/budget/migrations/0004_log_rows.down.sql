DROP TRIGGER "budget_keep" ON "budget";
--> statement-breakpoint
CREATE TRIGGER "budget_keep" BEFORE UPDATE OR DELETE ON "budget" FOR EACH ROW EXECUTE FUNCTION "budget_keep"();
--> statement-breakpoint
ALTER TABLE "budget" RESET (fillfactor);
