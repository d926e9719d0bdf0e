ALTER TABLE "core_factor" ADD COLUMN "browser" text;--> statement-breakpoint
ALTER TABLE "core_mailed_token" ADD COLUMN "factor_id" uuid;--> statement-breakpoint
ALTER TABLE "core_session" ADD COLUMN "confirmed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "core_session" ADD COLUMN "confirmed_by" text;--> statement-breakpoint
ALTER TABLE "core_session" ADD COLUMN "enrol_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "core_user" ADD COLUMN "factors_to_review" text;