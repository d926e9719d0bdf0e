DROP TABLE "core_rate_limit";
--> statement-breakpoint
DROP TABLE "core_certificate";
--> statement-breakpoint
DROP TABLE "core_delivery";
--> statement-breakpoint
DROP TABLE "core_event";
--> statement-breakpoint
DROP TABLE "core_mailed_token";
--> statement-breakpoint
DROP TABLE "core_token";
--> statement-breakpoint
DROP TABLE "core_session";
--> statement-breakpoint
DROP TABLE "core_membership";
--> statement-breakpoint
DROP TABLE "core_user";
--> statement-breakpoint
DROP TABLE "core_clinic";
--> statement-breakpoint
DROP TABLE "core_external_id";
--> statement-breakpoint
DROP TABLE "core_module_operation_log";
--> statement-breakpoint
DROP TABLE "core_module";
--> statement-breakpoint
DROP TABLE "core_migration";
