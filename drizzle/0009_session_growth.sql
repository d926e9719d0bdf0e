CREATE INDEX "core_session_age" ON "core_session" USING btree ("created_at");
