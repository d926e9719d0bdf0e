-- Foreign keys can wait for the end of a transaction, as in 0001.
CREATE TABLE "budget_notice" (
	"budget_id" uuid PRIMARY KEY NOT NULL,
	"clinic_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"claimed_at" timestamp with time zone,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "budget_reminder" (
	"budget_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"days" smallint NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"message_id" uuid,
	CONSTRAINT "budget_reminder_pkey" PRIMARY KEY("budget_id","days")
);
--> statement-breakpoint
ALTER TABLE "budget_link" ADD COLUMN "delivered_via" text;--> statement-breakpoint
ALTER TABLE "budget_link" ADD COLUMN "message_id" uuid;--> statement-breakpoint
ALTER TABLE "budget_notice" ADD CONSTRAINT "budget_notice_budget" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action DEFERRABLE INITIALLY IMMEDIATE;--> statement-breakpoint
ALTER TABLE "budget_reminder" ADD CONSTRAINT "budget_reminder_budget" FOREIGN KEY ("budget_id") REFERENCES "public"."budget"("id") ON DELETE cascade ON UPDATE no action DEFERRABLE INITIALLY IMMEDIATE;--> statement-breakpoint
CREATE INDEX "budget_open_until" ON "budget" USING btree ("clinic_id","expires_at") WHERE status = 'sent';--> statement-breakpoint
CREATE INDEX "budget_open_since" ON "budget" USING btree ("clinic_id","sent_at") WHERE status = 'sent';--> statement-breakpoint
CREATE INDEX "budget_clinic_pdf_pending" ON "budget" USING btree ("clinic_id","decided_at") WHERE signed_pdf_status = 'pending';--> statement-breakpoint
CREATE INDEX "budget_link_undelivered" ON "budget_link" USING btree ("clinic_id") WHERE delivery = 'failed';