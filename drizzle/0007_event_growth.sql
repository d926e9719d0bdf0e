CREATE INDEX "core_event_age" ON "core_event" USING btree ("occurred_at");
