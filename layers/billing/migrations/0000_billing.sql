CREATE TABLE "billing_invoice" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"number" text,
	"status" text DEFAULT 'draft' NOT NULL,
	"budget_id" uuid NOT NULL,
	"budget_number" text NOT NULL,
	"budget_version" integer NOT NULL,
	"patient_id" uuid NOT NULL,
	"patient_first_name" text NOT NULL,
	"patient_last_name" text NOT NULL,
	"currency" text NOT NULL,
	"locale" text NOT NULL,
	"total" bigint NOT NULL,
	"tax_total" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"issued_at" timestamp with time zone,
	"issued_by" uuid,
	"cancelled_at" timestamp with time zone,
	"cancelled_by" uuid,
	"cancel_reason" text,
	CONSTRAINT "billing_invoice_budget" UNIQUE("clinic_id","budget_id"),
	CONSTRAINT "billing_invoice_number" UNIQUE("clinic_id","number"),
	CONSTRAINT "billing_invoice_status_known" CHECK (status in ('draft','issued','paid','cancelled')),
	CONSTRAINT "billing_invoice_issued" CHECK ((number is null) = (issued_at is null) and (status not in ('issued','paid') or number is not null) and (status <> 'draft' or number is null)),
	CONSTRAINT "billing_invoice_money" CHECK (total >= 0 and tax_total >= 0)
);
--> statement-breakpoint
CREATE TABLE "billing_invoice_line" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"invoice_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"treatment_id" uuid NOT NULL,
	"code" text NOT NULL,
	"name" jsonb NOT NULL,
	"quantity" integer NOT NULL,
	"vat" integer NOT NULL,
	"price" bigint NOT NULL,
	"tax" bigint NOT NULL,
	CONSTRAINT "billing_invoice_line_position" UNIQUE("invoice_id","position"),
	CONSTRAINT "billing_invoice_line_money" CHECK (price >= 0 and tax >= 0)
);
--> statement-breakpoint
CREATE TABLE "billing_number" (
	"clinic_id" uuid NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "billing_number_pkey" PRIMARY KEY("clinic_id","year")
);
--> statement-breakpoint
CREATE TABLE "billing_payment" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"invoice_id" uuid NOT NULL,
	"clinic_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"method" text NOT NULL,
	"paid_at" timestamp with time zone DEFAULT now() NOT NULL,
	"note" text,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "billing_payment_amount" CHECK (amount > 0)
);
--> statement-breakpoint
ALTER TABLE "billing_invoice_line" ADD CONSTRAINT "billing_invoice_line_invoice" FOREIGN KEY ("invoice_id") REFERENCES "public"."billing_invoice"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_invoice" FOREIGN KEY ("invoice_id") REFERENCES "public"."billing_invoice"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_invoice_list" ON "billing_invoice" USING btree ("clinic_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST,"status");--> statement-breakpoint
CREATE INDEX "billing_invoice_patient" ON "billing_invoice" USING btree ("clinic_id","patient_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_payment_invoice" ON "billing_payment" USING btree ("invoice_id");