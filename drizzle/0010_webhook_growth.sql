CREATE INDEX "core_webhook_delivery_done" ON "core_webhook_delivery" USING btree ("done_at") WHERE status <> 'pending';--> statement-breakpoint
CREATE INDEX "core_webhook_delivery_failed" ON "core_webhook_delivery" USING btree ("webhook_id","created_at","id") WHERE status = 'failed';
