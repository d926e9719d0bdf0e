DROP INDEX "core_webhook_delivery_failed";
--> statement-breakpoint
DROP INDEX "core_webhook_delivery_done";
