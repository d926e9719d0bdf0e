DROP TABLE "clinical_patient_external_id";
--> statement-breakpoint
DROP TABLE "clinical_professional_external_id";
