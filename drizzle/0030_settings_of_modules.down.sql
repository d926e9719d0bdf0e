ALTER TABLE "core_clinic" ADD COLUMN "reminders_since" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "reminders" jsonb DEFAULT '{"enabled":false,"days":[7,14],"quiet_from":"20:00","quiet_to":"09:00"}'::jsonb NOT NULL;
--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "budget_validity_days" integer DEFAULT 30 NOT NULL;
--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "tooth_notation" text DEFAULT 'fdi' NOT NULL;
--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "payment_days" integer;
--> statement-breakpoint
UPDATE "core_clinic" SET
  "tooth_notation" = coalesce("values"->>'tooth_notation', "tooth_notation"),
  "budget_validity_days" = coalesce(("values"->>'budget_validity_days')::integer, "budget_validity_days"),
  "reminders" = coalesce("values"->'reminders', "reminders"),
  "reminders_since" = greatest("changed_at"->>'reminders.enabled', "changed_at"->>'reminders.days')::timestamptz
FROM "core_module_setting" WHERE "clinic_id" = "core_clinic"."id" AND "module" = 'budget';
--> statement-breakpoint
UPDATE "core_clinic" SET "payment_days" = ("values"->>'payment_days')::integer
FROM "core_module_setting" WHERE "clinic_id" = "core_clinic"."id" AND "module" = 'billing';
--> statement-breakpoint
DELETE FROM "core_module_setting" WHERE "module" IN ('budget', 'billing');
