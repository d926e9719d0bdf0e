CREATE TABLE "core_import" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"module" text NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid,
	"head" text NOT NULL,
	"encoding" text NOT NULL,
	"delimiter" text NOT NULL,
	"rows" integer NOT NULL,
	"mapping" jsonb NOT NULL,
	"settings" jsonb NOT NULL,
	"state" text DEFAULT 'uploaded' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"counts" jsonb,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "core_import_batch" (
	"import_id" uuid NOT NULL,
	"is_check" boolean NOT NULL,
	"position" integer NOT NULL,
	"names" "bytea",
	"wrong" jsonb NOT NULL,
	CONSTRAINT "core_import_batch_pkey" PRIMARY KEY("import_id","is_check","position")
);
--> statement-breakpoint
CREATE TABLE "core_import_chunk" (
	"import_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "core_import_chunk_pkey" PRIMARY KEY("import_id","position")
);
--> statement-breakpoint
ALTER TABLE "core_import" ADD CONSTRAINT "core_import_clinic_id_core_clinic_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."core_clinic"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_import_batch" ADD CONSTRAINT "core_import_batch_import_id_core_import_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."core_import"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_import_chunk" ADD CONSTRAINT "core_import_chunk_import_id_core_import_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."core_import"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "core_import_clinic" ON "core_import" USING btree ("clinic_id","module","created_at");--> statement-breakpoint
CREATE INDEX "core_import_age" ON "core_import" USING btree ("created_at");