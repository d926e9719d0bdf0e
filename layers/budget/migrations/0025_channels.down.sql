ALTER TABLE "budget_link" DROP COLUMN "delivery_reason";
--> statement-breakpoint
DROP TABLE "budget_link_address";
