DROP TABLE "clinical_professional";
--> statement-breakpoint
DROP TABLE "clinical_patient";
