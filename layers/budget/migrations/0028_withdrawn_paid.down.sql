DROP INDEX "budget_withdrawn_paid";
--> statement-breakpoint
ALTER TABLE "budget" DROP COLUMN "withdrawn_paid";
