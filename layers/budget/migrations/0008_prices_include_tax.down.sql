DROP TRIGGER "budget_keep_tax_mode" ON "budget";
--> statement-breakpoint
DROP FUNCTION "budget_keep_tax_mode"();
--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "prices_include_tax";