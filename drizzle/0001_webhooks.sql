CREATE TABLE "core_webhook" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"clinic_id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"include_reason" boolean DEFAULT false NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"secret" text NOT NULL,
	"failing_since" timestamp with time zone,
	"last_error" text,
	"last_success_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "core_webhook_attempt" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"duration_ms" integer NOT NULL,
	"response_status" integer,
	"response_body" text,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "core_webhook_delivery" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "core_webhook" ADD CONSTRAINT "core_webhook_clinic_id_core_clinic_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."core_clinic"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_webhook_attempt" ADD CONSTRAINT "core_webhook_attempt_delivery_id_core_webhook_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."core_webhook_delivery"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_webhook_delivery" ADD CONSTRAINT "core_webhook_delivery_webhook_id_core_webhook_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."core_webhook"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "core_webhook_delivery" ADD CONSTRAINT "core_webhook_delivery_event_id_core_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."core_event"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "core_webhook_clinic" ON "core_webhook" USING btree ("clinic_id");--> statement-breakpoint
CREATE INDEX "core_webhook_attempt_delivery" ON "core_webhook_attempt" USING btree ("delivery_id","id");--> statement-breakpoint
CREATE INDEX "core_webhook_delivery_due" ON "core_webhook_delivery" USING btree ("webhook_id","next_attempt_at") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "core_webhook_delivery_list" ON "core_webhook_delivery" USING btree ("webhook_id","created_at","id");--> statement-breakpoint
CREATE INDEX "core_webhook_delivery_event" ON "core_webhook_delivery" USING btree ("event_id");