DROP INDEX "budget_sent";
DROP INDEX "budget_signature_reason";
CREATE INDEX "budget_sent" ON "budget" USING btree ("clinic_id","sent_at" DESC NULLS LAST,"id" DESC NULLS LAST);
