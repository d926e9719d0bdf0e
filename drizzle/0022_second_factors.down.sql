DROP TABLE "core_sign_in_step";--> statement-breakpoint
DROP TABLE "core_recovery_code";--> statement-breakpoint
DROP TABLE "core_factor";--> statement-breakpoint
ALTER TABLE "core_user" DROP COLUMN "factors";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "browser";--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "way";--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "second_factor_since";--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "second_factor";
