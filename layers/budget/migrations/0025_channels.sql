CREATE TABLE "budget_link_address" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"budget_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"sealed" text NOT NULL,
	"token_hash" "bytea",
	"sent_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "budget_link" ADD COLUMN "delivery_reason" text;--> statement-breakpoint
ALTER TABLE "budget_link_address" ADD CONSTRAINT "budget_link_address_budget_fk" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_link_address_budget" ON "budget_link_address" USING btree ("budget_id","channel");
--> statement-breakpoint
ALTER TABLE "budget_link_address" ALTER CONSTRAINT "budget_link_address_budget_fk" DEFERRABLE INITIALLY IMMEDIATE;
