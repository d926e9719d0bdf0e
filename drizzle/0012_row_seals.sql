ALTER TABLE "core_mailed_token" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "core_membership" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "core_session" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "core_token" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "core_user" ADD COLUMN "seal" "bytea";