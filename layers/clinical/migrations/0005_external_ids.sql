CREATE TABLE "patient_external_id" (
	"clinic_id" uuid NOT NULL,
	"system" text NOT NULL,
	"external_id" text NOT NULL,
	"patient_id" uuid NOT NULL,
	CONSTRAINT "patient_external_id_pkey" PRIMARY KEY("clinic_id","system","external_id")
);
--> statement-breakpoint
CREATE TABLE "professional_external_id" (
	"clinic_id" uuid NOT NULL,
	"system" text NOT NULL,
	"external_id" text NOT NULL,
	"professional_id" uuid NOT NULL,
	CONSTRAINT "professional_external_id_pkey" PRIMARY KEY("clinic_id","system","external_id")
);
--> statement-breakpoint
ALTER TABLE "patient_external_id" ADD CONSTRAINT "patient_external_id_patient" FOREIGN KEY ("patient_id") REFERENCES "public"."clinical_patient"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "professional_external_id" ADD CONSTRAINT "professional_external_id_professional" FOREIGN KEY ("professional_id") REFERENCES "public"."clinical_professional"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "patient_external_id_record" ON "patient_external_id" USING btree ("patient_id","system");--> statement-breakpoint
CREATE UNIQUE INDEX "professional_external_id_record" ON "professional_external_id" USING btree ("professional_id","system");--> statement-breakpoint
-- A backup is loaded in one transaction that checks references at its end.
ALTER TABLE "patient_external_id" ALTER CONSTRAINT "patient_external_id_patient" DEFERRABLE INITIALLY IMMEDIATE;
--> statement-breakpoint
ALTER TABLE "professional_external_id" ALTER CONSTRAINT "professional_external_id_professional" DEFERRABLE INITIALLY IMMEDIATE;
