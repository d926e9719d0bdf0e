DROP INDEX "budget_sent";--> statement-breakpoint
CREATE INDEX "budget_signature_reason" ON "budget_signature" USING btree ("budget_id","reason_code") WHERE decision = 'rejected';--> statement-breakpoint
CREATE INDEX "budget_sent" ON "budget" USING btree ("clinic_id","sent_at" DESC NULLS LAST,"id" DESC NULLS LAST,"status","viewed_at","decided_at","withdrawn_at","total","price_to");