CREATE TABLE "core_module_setting" (
	"clinic_id" uuid NOT NULL,
	"module" text NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"secrets" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"changed_at" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "core_module_setting_pkey" PRIMARY KEY("clinic_id","module")
);
--> statement-breakpoint
ALTER TABLE "core_module_setting" ADD CONSTRAINT "core_module_setting_clinic_id_core_clinic_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."core_clinic"("id") ON DELETE no action ON UPDATE no action;