CREATE TABLE "budget" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"number" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"patient_id" uuid NOT NULL,
	"patient_first_name" text NOT NULL,
	"patient_last_name" text NOT NULL,
	"professional_id" uuid,
	"professional_name" text,
	"currency" text NOT NULL,
	"locale" text NOT NULL,
	"time_zone" text NOT NULL,
	"valid_until" date,
	"expires_at" timestamp with time zone,
	"discount_type" text,
	"discount_value" bigint,
	"original_total" bigint DEFAULT 0 NOT NULL,
	"total" bigint DEFAULT 0 NOT NULL,
	"tax_total" bigint DEFAULT 0 NOT NULL,
	"patient_notes" text,
	"internal_notes" text,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"viewed_at" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"decided_via" text,
	"closed_at" timestamp with time zone,
	"closed_reason" text,
	"revises_id" uuid,
	"superseded_by_id" uuid,
	"signed_pdf_status" text DEFAULT 'none' NOT NULL,
	"signed_pdf_key" text,
	"signed_pdf_sha256" text,
	"signed_pdf_at" timestamp with time zone,
	"log_count" integer DEFAULT 0 NOT NULL,
	"log_hash" "bytea",
	"log_seal" "bytea",
	"edit" integer DEFAULT 1 NOT NULL,
	"words" "tsvector" GENERATED ALWAYS AS (array_to_tsvector(string_to_array(btrim(regexp_replace(lower(regexp_replace(normalize(number || ' ' || patient_first_name || ' ' || patient_last_name, NFKD), '[\u0300-\u036f]', '', 'g')) || ' ' || replace(lower(regexp_replace(normalize(number || ' ' || patient_first_name || ' ' || patient_last_name, NFKD), '[\u0300-\u036f]', '', 'g')), '-', ' ') || ' ' || ltrim(split_part(number, '-', 3), '0'), '\s+', ' ', 'g')), ' '))) STORED NOT NULL,
	CONSTRAINT "budget_number_version" UNIQUE("clinic_id","number","version"),
	CONSTRAINT "budget_status_known" CHECK (status in ('draft','sent','accepted','rejected','expired','cancelled','superseded'))
);
--> statement-breakpoint
CREATE TABLE "budget_access_log" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"budget_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"action" text NOT NULL,
	"success" boolean NOT NULL,
	"actor" text NOT NULL,
	"user_id" uuid,
	"ip_hash" text,
	"user_agent" text,
	"detail" jsonb NOT NULL,
	"prev_hash" "bytea",
	"hash" "bytea" NOT NULL,
	CONSTRAINT "budget_access_log_seq" UNIQUE("budget_id","seq")
);
--> statement-breakpoint
CREATE TABLE "budget_count" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"clinic_id" uuid NOT NULL,
	"status" text NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "budget_item" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"budget_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"treatment_id" uuid NOT NULL,
	"code" text NOT NULL,
	"name" jsonb NOT NULL,
	"description" jsonb NOT NULL,
	"unit_price" bigint NOT NULL,
	"vat" integer NOT NULL,
	"quantity" smallint NOT NULL,
	"discount_type" text,
	"discount_value" bigint,
	"tooth" text,
	"surfaces" text,
	"notes" text,
	"original_price" bigint NOT NULL,
	"price" bigint NOT NULL,
	"tax" bigint NOT NULL,
	CONSTRAINT "budget_item_position" UNIQUE("budget_id","position"),
	CONSTRAINT "budget_item_quantity" CHECK (quantity between 1 and 999),
	CONSTRAINT "budget_item_money" CHECK (unit_price >= 0 and price >= 0)
);
--> statement-breakpoint
CREATE TABLE "budget_link" (
	"budget_id" uuid PRIMARY KEY NOT NULL,
	"clinic_id" uuid NOT NULL,
	"token_hash" "bytea",
	"token_sealed" text,
	"minted_at" timestamp with time zone,
	"code_hash" text,
	"code_set_at" timestamp with time zone,
	"failed_attempts" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	"channel" text,
	"delivery" text DEFAULT 'none' NOT NULL,
	"delivery_error" text,
	"delivered_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "budget_number" (
	"clinic_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "budget_number_pkey" PRIMARY KEY("clinic_id","year")
);
--> statement-breakpoint
CREATE TABLE "budget_session" (
	"session_hash" "bytea" PRIMARY KEY NOT NULL,
	"budget_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"read_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "budget_signature" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"budget_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"decision" text NOT NULL,
	"signer_name" text NOT NULL,
	"relationship" text,
	"method" text,
	"image" "bytea",
	"consent_version" text,
	"reason" text,
	"reason_code" text,
	"content" text NOT NULL,
	"content_digest" text NOT NULL,
	"ip" text,
	"user_agent" text,
	"witness_id" uuid,
	"decided_at" timestamp with time zone NOT NULL,
	"time_zone" text NOT NULL,
	"locale" text NOT NULL,
	"document_sha256" text,
	CONSTRAINT "budget_signature_budget" UNIQUE("budget_id")
);
--> statement-breakpoint
ALTER TABLE "budget_access_log" ADD CONSTRAINT "budget_access_log_budget" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_item" ADD CONSTRAINT "budget_item_budget" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_link" ADD CONSTRAINT "budget_link_budget" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_session" ADD CONSTRAINT "budget_session_budget" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_signature" ADD CONSTRAINT "budget_signature_budget_fk" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_list" ON "budget" USING btree ("clinic_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST,"status");--> statement-breakpoint
CREATE INDEX "budget_status" ON "budget" USING btree ("clinic_id","status","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "budget_by_number" ON "budget" USING btree ("clinic_id",left(number, 9),length(number),"number","version","id");--> statement-breakpoint
CREATE INDEX "budget_total" ON "budget" USING btree ("clinic_id","total","id");--> statement-breakpoint
CREATE INDEX "budget_valid_until" ON "budget" USING btree ("clinic_id","valid_until","id");--> statement-breakpoint
CREATE INDEX "budget_sent" ON "budget" USING btree ("clinic_id","sent_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "budget_decided" ON "budget" USING btree ("clinic_id","decided_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "budget_words" ON "budget" USING gin ("words");--> statement-breakpoint
CREATE INDEX "budget_patient" ON "budget" USING btree ("clinic_id","patient_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "budget_professional" ON "budget" USING btree ("clinic_id","professional_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "budget_expiring" ON "budget" USING btree ("expires_at") WHERE status = 'sent';--> statement-breakpoint
CREATE INDEX "budget_signed_pdf_pending" ON "budget" USING btree ("decided_at") WHERE signed_pdf_status = 'pending';--> statement-breakpoint
CREATE INDEX "budget_signed_pdf_sha256" ON "budget" USING btree ("signed_pdf_sha256") WHERE signed_pdf_sha256 is not null;--> statement-breakpoint
CREATE INDEX "budget_access_log_at" ON "budget_access_log" USING btree ("clinic_id","at");--> statement-breakpoint
CREATE INDEX "budget_count_clinic" ON "budget_count" USING btree ("clinic_id");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_link_token" ON "budget_link" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "budget_link_locked" ON "budget_link" USING btree ("clinic_id","locked_until") WHERE locked_until is not null;--> statement-breakpoint
CREATE INDEX "budget_session_budget" ON "budget_session" USING btree ("budget_id");--> statement-breakpoint
CREATE INDEX "budget_session_age" ON "budget_session" USING btree ("created_at");