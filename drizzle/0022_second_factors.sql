CREATE TABLE "core_factor" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"secret" text NOT NULL,
	"credential_id" text,
	"transports" text,
	"counter" bigint DEFAULT 0 NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seal" "bytea",
	CONSTRAINT "core_factor_credential" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "core_recovery_code" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "core_sign_in_step" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid,
	"bound_to" "bytea",
	"tries" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"seal" "bytea"
);
--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "second_factor" text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "core_clinic" ADD COLUMN "second_factor_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "core_session" ADD COLUMN "way" text;--> statement-breakpoint
ALTER TABLE "core_session" ADD COLUMN "browser" text;--> statement-breakpoint
ALTER TABLE "core_user" ADD COLUMN "factors" text;--> statement-breakpoint
ALTER TABLE "core_factor" ADD CONSTRAINT "core_factor_user_id_core_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."core_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_recovery_code" ADD CONSTRAINT "core_recovery_code_user_id_core_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."core_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_sign_in_step" ADD CONSTRAINT "core_sign_in_step_user_id_core_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."core_user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "core_factor_user" ON "core_factor" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "core_recovery_code_user" ON "core_recovery_code" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "core_sign_in_step_age" ON "core_sign_in_step" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "core_sign_in_step_user" ON "core_sign_in_step" USING btree ("user_id");