DROP INDEX "core_webhook_delivery_failed";
--> statement-breakpoint
DROP INDEX "core_webhook_delivery_done";
--> statement-breakpoint
DROP INDEX "core_session_age";
--> statement-breakpoint
DROP INDEX "core_mailed_token_age";
--> statement-breakpoint
DROP INDEX "core_event_age";
--> statement-breakpoint
DROP INDEX "core_delivery_done";
