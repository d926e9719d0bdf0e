ALTER TABLE "budget_link" ADD COLUMN "token_seal" "bytea";--> statement-breakpoint
ALTER TABLE "budget_link" ADD COLUMN "code_seal" "bytea";--> statement-breakpoint
ALTER TABLE "budget_session" ADD COLUMN "seal" "bytea";