CREATE TABLE "clinical_patient" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text,
	"phone" text,
	"date_of_birth" date,
	"locale" text NOT NULL,
	"notes" text,
	"search" text NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (array_to_tsvector(string_to_array(search, ' '))) STORED,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid
);
--> statement-breakpoint
CREATE TABLE "clinical_professional" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"name" text NOT NULL,
	"license_number" text,
	"color" text,
	"active" boolean DEFAULT true NOT NULL,
	"search" text NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (array_to_tsvector(string_to_array(search, ' '))) STORED,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid
);
--> statement-breakpoint
CREATE INDEX "clinical_patient_list" ON "clinical_patient" USING btree ("clinic_id","search","id");--> statement-breakpoint
CREATE INDEX "clinical_patient_words" ON "clinical_patient" USING gin ("words");--> statement-breakpoint
CREATE INDEX "clinical_professional_list" ON "clinical_professional" USING btree ("clinic_id","search","id");--> statement-breakpoint
CREATE INDEX "clinical_professional_words" ON "clinical_professional" USING gin ("words");