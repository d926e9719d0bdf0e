CREATE TABLE "core_schedule" (
	"module_name" text NOT NULL,
	"name" text NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	CONSTRAINT "core_schedule_pkey" PRIMARY KEY("module_name","name")
);
