ALTER TABLE "budget_link" ADD COLUMN "short_hash" "bytea";--> statement-breakpoint
ALTER TABLE "budget_link" ADD COLUMN "short_seal" "bytea";--> statement-breakpoint
ALTER TABLE "budget_link" ADD COLUMN "short_sealed" text;--> statement-breakpoint
CREATE UNIQUE INDEX "budget_link_short" ON "budget_link" USING btree ("short_hash");