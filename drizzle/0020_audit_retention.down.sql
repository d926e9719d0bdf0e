ALTER TABLE "core_clinic" ALTER COLUMN "retention" SET DEFAULT '{"access_log_months":120}'::jsonb;
--> statement-breakpoint
UPDATE "core_clinic" SET "retention" = "retention" - 'audit_months';
