ALTER TABLE "core_clinic" DROP COLUMN "first_steps_hidden";--> statement-breakpoint
DROP TABLE "core_setup";