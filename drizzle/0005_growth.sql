-- One table a revision, here and in 0007 to 0010: a transaction that locks two of them meets those of instances that go on serving.
CREATE INDEX "core_delivery_done" ON "core_delivery" USING btree ("kind","done_at") WHERE status = 'done';
