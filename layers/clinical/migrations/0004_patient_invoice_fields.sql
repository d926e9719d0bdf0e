ALTER TABLE "clinical_patient" ADD COLUMN "tax_number" text;--> statement-breakpoint
ALTER TABLE "clinical_patient" ADD COLUMN "address" text;