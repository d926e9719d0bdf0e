ALTER TABLE "clinical_patient" DROP COLUMN "erased_at";
