ALTER TABLE "core_clinic" DROP COLUMN "notify_decisions";
--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "reminders_since";
--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "reminders";
