CREATE TABLE "sms_day" (
	"clinic_id" uuid NOT NULL,
	"day" date NOT NULL,
	"sent" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sms_day_pkey" PRIMARY KEY("clinic_id","day")
);
--> statement-breakpoint
CREATE TABLE "sms_failing" (
	"clinic_id" uuid PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"error" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sms_message" (
	"id" uuid PRIMARY KEY NOT NULL,
	"clinic_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"kind" text NOT NULL,
	"via" text NOT NULL,
	"patient_id" uuid,
	"number_mac" "bytea",
	"state" text NOT NULL,
	"error" text,
	"encoding" text NOT NULL,
	"parts" integer NOT NULL,
	"ref" text,
	"price" bigint,
	"price_currency" text,
	"asked" integer DEFAULT 0 NOT NULL,
	"day" date NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	CONSTRAINT "sms_message_state_known" CHECK (state in ('sending','waiting','sent','delivered','failed','refused')),
	CONSTRAINT "sms_message_channel_known" CHECK (channel in ('sms','whatsapp')),
	CONSTRAINT "sms_message_parts" CHECK (parts > 0)
);
--> statement-breakpoint
CREATE TABLE "sms_stop" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"channel" text NOT NULL,
	"number_mac" "bytea" NOT NULL,
	"patient_id" uuid,
	"cause" text NOT NULL,
	"error" text,
	"stopped_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sms_stop_number" UNIQUE("clinic_id","channel","number_mac"),
	CONSTRAINT "sms_stop_cause_known" CHECK (cause in ('answer','provider','staff'))
);
--> statement-breakpoint
CREATE INDEX "sms_message_of_clinic" ON "sms_message" USING btree ("clinic_id","created_at");--> statement-breakpoint
CREATE INDEX "sms_message_of_patient" ON "sms_message" USING btree ("clinic_id","patient_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "sms_message_of_number" ON "sms_message" USING btree ("clinic_id","number_mac") WHERE number_mac is not null;--> statement-breakpoint
CREATE INDEX "sms_message_of_ref" ON "sms_message" USING btree ("clinic_id","ref") WHERE ref is not null;--> statement-breakpoint
CREATE INDEX "sms_message_open" ON "sms_message" USING btree ("created_at") WHERE state in ('sending','waiting');--> statement-breakpoint
CREATE INDEX "sms_message_to_ask" ON "sms_message" USING btree ("created_at") WHERE via = 'twilio' and ref is not null and price is null and asked < 6;--> statement-breakpoint
CREATE INDEX "sms_stop_patient" ON "sms_stop" USING btree ("clinic_id","patient_id");