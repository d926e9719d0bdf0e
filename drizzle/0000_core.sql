CREATE TABLE "core_certificate" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"certificate" "bytea" NOT NULL,
	"private_key" text NOT NULL,
	"not_after" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "core_clinic" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"address" text,
	"phone" text,
	"email" text,
	"logo" "bytea",
	"logo_type" text,
	"accent_color" text,
	"currency" text NOT NULL,
	"time_zone" text NOT NULL,
	"locale" text NOT NULL,
	"budget_validity_days" integer DEFAULT 30 NOT NULL,
	"ip_policy" text DEFAULT 'full' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "core_delivery" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"module_name" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"line" text NOT NULL,
	"event_id" uuid,
	"payload" jsonb,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "core_event" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seq" bigserial NOT NULL,
	"name" text NOT NULL,
	"clinic_id" uuid,
	"payload" jsonb NOT NULL,
	"occurred_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "core_external_id" (
	"module_name" text NOT NULL,
	"xml_id" text NOT NULL,
	"table_name" text NOT NULL,
	"record_id" text NOT NULL,
	"noupdate" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "core_external_id_name" UNIQUE("module_name","xml_id")
);
--> statement-breakpoint
CREATE TABLE "core_mailed_token" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "core_membership" (
	"clinic_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "core_membership_pkey" PRIMARY KEY("clinic_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "core_migration" (
	"module_name" text NOT NULL,
	"revision" text NOT NULL,
	"checksum" text NOT NULL,
	"applied_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "core_migration_pkey" PRIMARY KEY("module_name","revision")
);
--> statement-breakpoint
CREATE TABLE "core_module" (
	"name" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"version" text,
	"category" text NOT NULL,
	"installed_at" timestamp with time zone,
	"error_message" text,
	"error_at" timestamp with time zone,
	"last_state_change" timestamp with time zone DEFAULT now() NOT NULL,
	"applied_revision" text,
	"manifest" jsonb,
	"pending" jsonb
);
--> statement-breakpoint
CREATE TABLE "core_module_operation_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"module_name" text NOT NULL,
	"operation" text NOT NULL,
	"step" text NOT NULL,
	"status" text NOT NULL,
	"operation_id" uuid NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"detail" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "core_rate_limit" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "core_session" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"clinic_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "core_token" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text,
	"scope" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "core_token_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "core_user" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"password_hash" text,
	"email_proven_at" timestamp with time zone,
	"instance_admin" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "core_user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "core_delivery" ADD CONSTRAINT "core_delivery_event" FOREIGN KEY ("event_id") REFERENCES "public"."core_event"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_mailed_token" ADD CONSTRAINT "core_mailed_token_user_id_core_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."core_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_membership" ADD CONSTRAINT "core_membership_clinic_id_core_clinic_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."core_clinic"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_membership" ADD CONSTRAINT "core_membership_user_id_core_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."core_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_session" ADD CONSTRAINT "core_session_user_id_core_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."core_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_session" ADD CONSTRAINT "core_session_clinic_id_core_clinic_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."core_clinic"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "core_delivery_line" ON "core_delivery" USING btree ("module_name","line","id") WHERE status = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX "core_event_seq" ON "core_event" USING btree ("seq");--> statement-breakpoint
CREATE INDEX "core_external_id_record" ON "core_external_id" USING btree ("table_name","record_id");--> statement-breakpoint
CREATE INDEX "core_membership_user" ON "core_membership" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "core_module_operation_log_module" ON "core_module_operation_log" USING btree ("module_name","id");--> statement-breakpoint
CREATE INDEX "core_rate_limit_expire" ON "core_rate_limit" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "core_session_user" ON "core_session" USING btree ("user_id");