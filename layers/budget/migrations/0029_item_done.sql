CREATE TABLE "budget_item_done" (
	"item_id" uuid PRIMARY KEY NOT NULL,
	"budget_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"done_on" date NOT NULL
);
--> statement-breakpoint
ALTER TABLE "budget_item_done" ADD CONSTRAINT "budget_item_done_item" FOREIGN KEY ("item_id") REFERENCES "public"."budget_item"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_item_done_budget" ON "budget_item_done" USING btree ("budget_id");
--> statement-breakpoint
ALTER TABLE "budget_item_done" ALTER CONSTRAINT "budget_item_done_item" DEFERRABLE INITIALLY IMMEDIATE;
