CREATE TABLE "catalog_category" (
	"code" text PRIMARY KEY NOT NULL,
	"name" jsonb NOT NULL,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "catalog_treatment" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"code" text NOT NULL,
	"name" jsonb NOT NULL,
	"description" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"category" text,
	"unit_price" bigint NOT NULL,
	"vat" integer NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"search" text NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (array_to_tsvector(string_to_array(search, ' '))) STORED,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid,
	CONSTRAINT "catalog_treatment_code" UNIQUE("clinic_id","code"),
	CONSTRAINT "catalog_treatment_money" CHECK (unit_price >= 0 and vat between 0 and 10000)
);
--> statement-breakpoint
ALTER TABLE "catalog_treatment" ADD CONSTRAINT "catalog_treatment_category" FOREIGN KEY ("category") REFERENCES "public"."catalog_category"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "catalog_treatment_list" ON "catalog_treatment" USING btree ("clinic_id","search","id");--> statement-breakpoint
CREATE INDEX "catalog_treatment_words" ON "catalog_treatment" USING gin ("words");