CREATE TABLE "clinical_patient_external_id" (
	"clinic_id" uuid NOT NULL,
	"system" text NOT NULL,
	"external_id" text NOT NULL,
	"patient_id" uuid NOT NULL,
	CONSTRAINT "clinical_patient_external_id_pkey" PRIMARY KEY("clinic_id","system","external_id")
);
--> statement-breakpoint
CREATE TABLE "clinical_professional_external_id" (
	"clinic_id" uuid NOT NULL,
	"system" text NOT NULL,
	"external_id" text NOT NULL,
	"professional_id" uuid NOT NULL,
	CONSTRAINT "clinical_professional_external_id_pkey" PRIMARY KEY("clinic_id","system","external_id")
);
--> statement-breakpoint
ALTER TABLE "clinical_patient_external_id" ADD CONSTRAINT "clinical_patient_external_id_patient" FOREIGN KEY ("patient_id") REFERENCES "public"."clinical_patient"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clinical_professional_external_id" ADD CONSTRAINT "clinical_professional_external_id_professional" FOREIGN KEY ("professional_id") REFERENCES "public"."clinical_professional"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "clinical_patient_external_id_record" ON "clinical_patient_external_id" USING btree ("patient_id","system");--> statement-breakpoint
CREATE UNIQUE INDEX "clinical_professional_external_id_record" ON "clinical_professional_external_id" USING btree ("professional_id","system");--> statement-breakpoint
-- A backup is loaded in one transaction that checks references at its end.
ALTER TABLE "clinical_patient_external_id" ALTER CONSTRAINT "clinical_patient_external_id_patient" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
ALTER TABLE "clinical_professional_external_id" ALTER CONSTRAINT "clinical_professional_external_id_professional" DEFERRABLE INITIALLY IMMEDIATE;
