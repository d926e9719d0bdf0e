CREATE INDEX "core_delivery_done" ON "core_delivery" USING btree ("kind","done_at") WHERE status = 'done';--> statement-breakpoint
CREATE INDEX "core_event_age" ON "core_event" USING btree ("occurred_at");--> statement-breakpoint
CREATE INDEX "core_mailed_token_age" ON "core_mailed_token" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "core_session_age" ON "core_session" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "core_webhook_delivery_done" ON "core_webhook_delivery" USING btree ("done_at") WHERE status <> 'pending';--> statement-breakpoint
CREATE INDEX "core_webhook_delivery_failed" ON "core_webhook_delivery" USING btree ("webhook_id","created_at","id") WHERE status = 'failed';