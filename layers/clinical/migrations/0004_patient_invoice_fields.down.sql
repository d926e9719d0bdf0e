ALTER TABLE "clinical_patient" DROP COLUMN "address";
--> statement-breakpoint
ALTER TABLE "clinical_patient" DROP COLUMN "tax_number";
