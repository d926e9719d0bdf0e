DROP TRIGGER "budget_keep_license" ON "budget";
--> statement-breakpoint
DROP FUNCTION "budget_keep_license"();
--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "professional_license";
