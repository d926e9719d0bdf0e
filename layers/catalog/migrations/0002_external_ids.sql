CREATE TABLE "catalog_treatment_external_id" (
	"clinic_id" uuid NOT NULL,
	"system" text NOT NULL,
	"external_id" text NOT NULL,
	"treatment_id" uuid NOT NULL,
	CONSTRAINT "catalog_treatment_external_id_pkey" PRIMARY KEY("clinic_id","system","external_id")
);
--> statement-breakpoint
ALTER TABLE "catalog_treatment_external_id" ADD CONSTRAINT "catalog_treatment_external_id_treatment" FOREIGN KEY ("treatment_id") REFERENCES "public"."catalog_treatment"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "catalog_treatment_external_id_record" ON "catalog_treatment_external_id" USING btree ("treatment_id","system");--> statement-breakpoint
-- A backup is loaded in one transaction that checks references at its end.
ALTER TABLE "catalog_treatment_external_id" ALTER CONSTRAINT "catalog_treatment_external_id_treatment" DEFERRABLE INITIALLY IMMEDIATE;
