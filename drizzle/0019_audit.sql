CREATE TABLE "core_audit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"clinic_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" text,
	"actor_name" text,
	"action" text NOT NULL,
	"target_kind" text,
	"target_id" text,
	"detail" jsonb NOT NULL,
	"address" text,
	"prev_hash" "bytea",
	"hash" "bytea" NOT NULL,
	CONSTRAINT "core_audit_seq" UNIQUE("clinic_id","seq")
);
--> statement-breakpoint
CREATE TABLE "core_audit_checkpoint" (
	"clinic_id" uuid PRIMARY KEY NOT NULL,
	"seq" integer NOT NULL,
	"hash" "bytea" NOT NULL,
	"from_at" timestamp with time zone NOT NULL,
	"to_at" timestamp with time zone NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "core_audit_head" (
	"clinic_id" uuid PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"hash" "bytea",
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE INDEX "core_audit_action" ON "core_audit" USING btree ("clinic_id","action","seq");--> statement-breakpoint
CREATE INDEX "core_audit_actor" ON "core_audit" USING btree ("clinic_id","actor_id","seq");--> statement-breakpoint
CREATE INDEX "core_audit_at" ON "core_audit" USING btree ("clinic_id","at");