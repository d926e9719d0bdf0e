DROP TRIGGER "budget_keep_clauses" ON "budget";
--> statement-breakpoint
DROP FUNCTION "budget_keep_clauses"();
--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "clauses";
