DROP TABLE "core_audit_checkpoint";
--> statement-breakpoint
DROP TABLE "core_audit_head";
--> statement-breakpoint
DROP TABLE "core_audit";
