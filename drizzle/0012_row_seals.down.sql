ALTER TABLE "core_user" DROP COLUMN "seal";
--> statement-breakpoint
ALTER TABLE "core_token" DROP COLUMN "seal";
--> statement-breakpoint
ALTER TABLE "core_session" DROP COLUMN "seal";
--> statement-breakpoint
ALTER TABLE "core_membership" DROP COLUMN "seal";
--> statement-breakpoint
ALTER TABLE "core_mailed_token" DROP COLUMN "seal";
