DROP TABLE "core_idempotency";
--> statement-breakpoint
DROP TABLE "core_clinic_token";
