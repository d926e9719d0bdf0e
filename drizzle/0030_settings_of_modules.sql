-- What two modules had among the clinic's columns becomes their settings. Existing clinics keep each value, also one that
-- is the default.
INSERT INTO "core_module_setting" ("clinic_id", "module", "values", "changed_at")
SELECT "id", 'budget',
  jsonb_build_object('tooth_notation', "tooth_notation", 'budget_validity_days', "budget_validity_days", 'reminders', "reminders"),
  CASE WHEN "reminders_since" IS NULL THEN '{}'::jsonb ELSE jsonb_build_object('reminders.enabled',
    to_char("reminders_since" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END
FROM "core_clinic"
UNION ALL
SELECT "id", 'billing', jsonb_build_object('payment_days', "payment_days"), '{}'::jsonb FROM "core_clinic"
ON CONFLICT ("clinic_id", "module") DO UPDATE
SET "values" = excluded."values" || "core_module_setting"."values",
    "changed_at" = excluded."changed_at" || "core_module_setting"."changed_at";
--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "payment_days";--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "tooth_notation";--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "budget_validity_days";--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "reminders";--> statement-breakpoint
ALTER TABLE "core_clinic" DROP COLUMN "reminders_since";
