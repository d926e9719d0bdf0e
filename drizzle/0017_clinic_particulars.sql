ALTER TABLE "core_clinic" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "legal_name" text;--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "tax_number" text;--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "registration" text;--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "insurer" text;--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "payment_days" integer;