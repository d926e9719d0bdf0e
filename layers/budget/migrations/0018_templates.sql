CREATE TABLE "budget_template" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"name" text NOT NULL,
	"content" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid,
	"edit" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "budget_template_list" ON "budget_template" USING btree ("clinic_id",lower(name),"id");