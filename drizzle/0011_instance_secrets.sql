CREATE TABLE "core_secret" (
	"key_id" text PRIMARY KEY NOT NULL,
	"mac" "bytea" NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"until" timestamp with time zone
);
