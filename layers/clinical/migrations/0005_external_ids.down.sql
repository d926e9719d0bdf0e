DROP TABLE "patient_external_id";
--> statement-breakpoint
DROP TABLE "professional_external_id";
