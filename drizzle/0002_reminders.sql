ALTER TABLE "core_clinic" ADD COLUMN "reminders" jsonb DEFAULT '{"enabled":false,"days":[7,14],"quiet_from":"20:00","quiet_to":"09:00"}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "reminders_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "notify_decisions" boolean DEFAULT true NOT NULL;