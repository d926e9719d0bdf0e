CREATE TABLE "budget_external_id" (
	"clinic_id" uuid NOT NULL,
	"system" text NOT NULL,
	"external_id" text NOT NULL,
	"budget_id" uuid NOT NULL,
	CONSTRAINT "budget_external_id_pkey" PRIMARY KEY("clinic_id","system","external_id")
);
--> statement-breakpoint
ALTER TABLE "budget_external_id" ADD CONSTRAINT "budget_external_id_budget" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "budget_external_id_record" ON "budget_external_id" USING btree ("budget_id","system");--> statement-breakpoint
-- A backup is loaded in one transaction that checks references at its end.
ALTER TABLE "budget_external_id" ALTER CONSTRAINT "budget_external_id_budget" DEFERRABLE INITIALLY IMMEDIATE;
