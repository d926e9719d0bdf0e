ALTER TABLE "clinical_patient" ADD COLUMN "erased_at" timestamp with time zone;
