CREATE TABLE "core_setup" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"code_hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seal" "bytea",
	CONSTRAINT "core_setup_single" CHECK (id = 1)
);
--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "first_steps_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Clinics that are there already are past their first steps.
UPDATE "core_clinic" SET "first_steps_hidden" = true;
