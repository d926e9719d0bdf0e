CREATE INDEX "core_mailed_token_age" ON "core_mailed_token" USING btree ("expires_at");
