CREATE TABLE "budget_sent_code" (
	"budget_id" uuid PRIMARY KEY NOT NULL,
	"clinic_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"code_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "budget_sent_code" ADD CONSTRAINT "budget_sent_code_budget" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "budget_sent_code" ALTER CONSTRAINT "budget_sent_code_budget" DEFERRABLE INITIALLY IMMEDIATE;
