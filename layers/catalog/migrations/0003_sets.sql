CREATE TABLE "catalog_set_item" (
	"set_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"clinic_id" uuid NOT NULL,
	"treatment_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	CONSTRAINT "catalog_set_item_pkey" PRIMARY KEY("set_id","position"),
	CONSTRAINT "catalog_set_item_quantity" CHECK (quantity between 1 and 999)
);
--> statement-breakpoint
CREATE TABLE "catalog_set" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"name" text NOT NULL,
	"search" text NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (array_to_tsvector(string_to_array(search, ' '))) STORED,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid
);
--> statement-breakpoint
ALTER TABLE "catalog_set_item" ADD CONSTRAINT "catalog_set_item_set" FOREIGN KEY ("set_id") REFERENCES "public"."catalog_set"("id") ON DELETE cascade ON UPDATE no action DEFERRABLE INITIALLY IMMEDIATE;--> statement-breakpoint
ALTER TABLE "catalog_set_item" ADD CONSTRAINT "catalog_set_item_of" FOREIGN KEY ("treatment_id") REFERENCES "public"."catalog_treatment"("id") ON DELETE no action ON UPDATE no action DEFERRABLE INITIALLY IMMEDIATE;--> statement-breakpoint
CREATE INDEX "catalog_set_item_treatment" ON "catalog_set_item" USING btree ("treatment_id");--> statement-breakpoint
CREATE INDEX "catalog_set_list" ON "catalog_set" USING btree ("clinic_id","search","id");--> statement-breakpoint
CREATE INDEX "catalog_set_words" ON "catalog_set" USING gin ("words");