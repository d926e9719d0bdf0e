DROP TABLE "core_webhook_attempt";
--> statement-breakpoint
DROP TABLE "core_webhook_delivery";
--> statement-breakpoint
DROP TABLE "core_webhook";
