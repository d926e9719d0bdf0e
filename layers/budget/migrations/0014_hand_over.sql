CREATE TABLE "budget_hand_over" (
	"budget_id" uuid PRIMARY KEY NOT NULL,
	"clinic_id" uuid NOT NULL,
	"digits_hash" "bytea" NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"user_id" uuid NOT NULL,
	"session_mark" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seal" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "budget_session" ADD COLUMN "handed_by" uuid;--> statement-breakpoint
ALTER TABLE "budget_hand_over" ADD CONSTRAINT "budget_hand_over_budget" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "budget_hand_over_digits" ON "budget_hand_over" USING btree ("digits_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_hand_over_secret" ON "budget_hand_over" USING btree ("secret_hash");--> statement-breakpoint
ALTER TABLE "budget_hand_over" ALTER CONSTRAINT "budget_hand_over_budget" DEFERRABLE INITIALLY IMMEDIATE;
