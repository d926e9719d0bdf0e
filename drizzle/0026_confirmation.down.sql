ALTER TABLE "core_user" DROP COLUMN "factors_to_review";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "enrol_until";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "confirmed_by";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "confirmed_at";--> statement-breakpoint
ALTER TABLE "core_mailed_token" DROP COLUMN "factor_id";--> statement-breakpoint
ALTER TABLE "core_factor" DROP COLUMN "browser";
