CREATE TABLE "core_clinic_token" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seal" "bytea",
	CONSTRAINT "core_clinic_token_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "core_idempotency" (
	"id" "bytea" PRIMARY KEY NOT NULL,
	"body_mac" "bytea" NOT NULL,
	"run_id" uuid NOT NULL,
	"running_until" timestamp with time zone NOT NULL,
	"answer" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "core_clinic_token" ADD CONSTRAINT "core_clinic_token_clinic_id_core_clinic_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."core_clinic"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_clinic_token" ADD CONSTRAINT "core_clinic_token_user_id_core_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."core_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "core_clinic_token_clinic" ON "core_clinic_token" USING btree ("clinic_id");--> statement-breakpoint
CREATE INDEX "core_idempotency_age" ON "core_idempotency" USING btree ("created_at");