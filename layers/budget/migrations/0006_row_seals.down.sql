ALTER TABLE "budget_session" DROP COLUMN "seal";
--> statement-breakpoint
ALTER TABLE "budget_link" DROP COLUMN "code_seal";
--> statement-breakpoint
ALTER TABLE "budget_link" DROP COLUMN "token_seal";
