CREATE TABLE "payments_attempt" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"request_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"mode" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"attention" text,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL,
	"ref" text,
	"payment_ref" text,
	"method" text,
	"paid_amount" bigint,
	"paid_currency" text,
	"paid_at" timestamp with time zone,
	"return_to" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"checked_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"next_check_at" timestamp with time zone,
	"unreachable_since" timestamp with time zone,
	"recorded_at" timestamp with time zone,
	CONSTRAINT "payments_attempt_provider_known" CHECK (provider in ('transfer','stripe','mollie','redsys','manual')),
	CONSTRAINT "payments_attempt_state_known" CHECK (state in ('open','pending','paid','failed','cancelled','mismatch')),
	CONSTRAINT "payments_attempt_money" CHECK (amount > 0 and (state not in ('paid','mismatch') or paid_amount is not null))
);
--> statement-breakpoint
CREATE TABLE "payments_refund" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"attempt_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"reason" text,
	"detail" text,
	"refund_ref" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"next_check_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"recorded_at" timestamp with time zone,
	CONSTRAINT "payments_refund_state_known" CHECK (state in ('open','pending','done','refused')),
	CONSTRAINT "payments_refund_amount" CHECK (amount > 0)
);
--> statement-breakpoint
CREATE TABLE "payments_request" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"budget_id" uuid NOT NULL,
	"budget_number" text NOT NULL,
	"invoice_id" uuid,
	"invoice_number" text,
	"patient_id" uuid NOT NULL,
	"locale" text NOT NULL,
	"currency" text NOT NULL,
	"amount" bigint NOT NULL,
	"refunded" bigint DEFAULT 0 NOT NULL,
	"due_on" date NOT NULL,
	"reference" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"attention" text[] DEFAULT '{}' NOT NULL,
	"token_mac" bytea NOT NULL,
	"token_sealed" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"paid_at" timestamp with time zone,
	"paid_by_attempt" uuid,
	"method" text,
	"ended_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"cancelled_by" uuid,
	"cancel_reason" text,
	"mailed_at" timestamp with time zone,
	"mail_error" text,
	CONSTRAINT "payments_request_reference" UNIQUE("clinic_id","reference"),
	CONSTRAINT "payments_request_token" UNIQUE("token_mac"),
	CONSTRAINT "payments_request_kind_known" CHECK (kind in ('deposit','invoice') and (kind = 'invoice') = (invoice_id is not null)),
	CONSTRAINT "payments_request_state_known" CHECK (state in ('open','pending','paid','failed','cancelled','refunded')),
	CONSTRAINT "payments_request_paid" CHECK (state not in ('paid','refunded') or (paid_at is not null and paid_by_attempt is not null)),
	CONSTRAINT "payments_request_money" CHECK (amount > 0 and refunded >= 0 and refunded <= amount)
);
--> statement-breakpoint
CREATE TABLE "payments_terms" (
	"budget_id" uuid PRIMARY KEY NOT NULL,
	"clinic_id" uuid NOT NULL,
	"percent" integer,
	"amount" bigint,
	"from_total" bigint DEFAULT 0 NOT NULL,
	"due_days" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_terms_kind" CHECK ((percent is null) <> (amount is null)),
	CONSTRAINT "payments_terms_range" CHECK (percent between 0 and 10000 and due_days >= 0 and from_total >= 0)
);
--> statement-breakpoint
ALTER TABLE "payments_attempt" ADD CONSTRAINT "payments_attempt_request_known" FOREIGN KEY ("request_id") REFERENCES "payments_request"("id") DEFERRABLE;--> statement-breakpoint
ALTER TABLE "payments_refund" ADD CONSTRAINT "payments_refund_attempt_known" FOREIGN KEY ("attempt_id") REFERENCES "payments_attempt"("id") DEFERRABLE;--> statement-breakpoint
ALTER TABLE "payments_refund" ADD CONSTRAINT "payments_refund_request_known" FOREIGN KEY ("request_id") REFERENCES "payments_request"("id") DEFERRABLE;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_attempt_ref" ON "payments_attempt" USING btree ("clinic_id","provider","mode","ref") WHERE ref is not null;--> statement-breakpoint
CREATE INDEX "payments_attempt_request" ON "payments_attempt" USING btree ("request_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_attempt_next" ON "payments_attempt" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE INDEX "payments_attempt_unrecorded" ON "payments_attempt" USING btree ("paid_at") WHERE state = 'paid' and recorded_at is null;--> statement-breakpoint
CREATE INDEX "payments_refund_attempt" ON "payments_refund" USING btree ("attempt_id");--> statement-breakpoint
CREATE INDEX "payments_refund_request" ON "payments_refund" USING btree ("request_id","created_at");--> statement-breakpoint
CREATE INDEX "payments_refund_next" ON "payments_refund" USING btree ("next_check_at") WHERE next_check_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_request_deposit" ON "payments_request" USING btree ("clinic_id","budget_id") WHERE kind = 'deposit';--> statement-breakpoint
CREATE INDEX "payments_request_list" ON "payments_request" USING btree ("clinic_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payments_request_due" ON "payments_request" USING btree ("clinic_id","due_on","id");--> statement-breakpoint
CREATE INDEX "payments_request_amount" ON "payments_request" USING btree ("clinic_id","amount","id");--> statement-breakpoint
CREATE INDEX "payments_request_attention" ON "payments_request" USING btree ("clinic_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE attention <> '{}';--> statement-breakpoint
CREATE INDEX "payments_request_patient" ON "payments_request" USING btree ("clinic_id","patient_id");--> statement-breakpoint
CREATE INDEX "payments_request_budget" ON "payments_request" USING btree ("clinic_id","budget_number");--> statement-breakpoint
CREATE INDEX "payments_request_invoice" ON "payments_request" USING btree ("clinic_id","invoice_id") WHERE invoice_id is not null;