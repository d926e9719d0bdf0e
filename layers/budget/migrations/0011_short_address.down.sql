DROP INDEX "budget_link_short";
--> statement-breakpoint
ALTER TABLE "budget_link" DROP COLUMN "short_sealed";
--> statement-breakpoint
ALTER TABLE "budget_link" DROP COLUMN "short_seal";
--> statement-breakpoint
ALTER TABLE "budget_link" DROP COLUMN "short_hash";
