ALTER TABLE "core_mailed_token" ADD COLUMN "clinic_id" uuid;--> statement-breakpoint
ALTER TABLE "core_membership" ADD COLUMN "consented_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "core_membership" ADD COLUMN "asked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "core_membership" ADD COLUMN "first_name" text;--> statement-breakpoint
ALTER TABLE "core_membership" ADD COLUMN "last_name" text;--> statement-breakpoint
ALTER TABLE "core_user" ADD COLUMN "signed_in_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "core_mailed_token" ADD CONSTRAINT "core_mailed_token_clinic_id_core_clinic_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."core_clinic"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
UPDATE "core_membership" SET "consented_at" = "created_at";--> statement-breakpoint
UPDATE "core_user" SET "signed_in_at" = "created_at" WHERE "password_hash" IS NOT NULL;
