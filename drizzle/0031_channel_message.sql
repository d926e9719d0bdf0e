CREATE TABLE "core_channel_message" (
	"channel" text NOT NULL,
	"ref" text NOT NULL,
	"owner" jsonb,
	"state" text,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "core_channel_message_pkey" PRIMARY KEY("channel","ref")
);
--> statement-breakpoint
CREATE INDEX "core_channel_message_age" ON "core_channel_message" USING btree ("created_at");