CREATE TABLE "budget_removed_draft" (
	"budget_id" uuid PRIMARY KEY NOT NULL,
	"clinic_id" uuid NOT NULL,
	"number" text NOT NULL,
	"version" integer NOT NULL,
	"removed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_by" uuid,
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "budget_verify_mark" (
	"id" smallint PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"seal" "bytea" NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "budget" ADD COLUMN "clinic_name" text;--> statement-breakpoint
ALTER TABLE "budget" ADD COLUMN "sent_seal" "bytea";--> statement-breakpoint
ALTER TABLE "budget_number" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "budget_signature" ADD COLUMN "patient_id" uuid;--> statement-breakpoint
ALTER TABLE "budget_signature" ADD COLUMN "author_id" uuid;--> statement-breakpoint
CREATE INDEX "budget_removed_draft_number" ON "budget_removed_draft" USING btree ("clinic_id","number");