-- A new index is complete before it gets the name: reads continue while it is built, and always have one of the two.
CREATE INDEX "budget_signature_reason" ON "budget_signature" USING btree ("budget_id","reason_code") WHERE decision = 'rejected';--> statement-breakpoint
CREATE INDEX "budget_sent_new" ON "budget" USING btree ("clinic_id","sent_at" DESC NULLS LAST,"id" DESC NULLS LAST,"status","viewed_at","decided_at","withdrawn_at","total","price_to");--> statement-breakpoint
ALTER INDEX "budget_sent" RENAME TO "budget_sent_old";--> statement-breakpoint
ALTER INDEX "budget_sent_new" RENAME TO "budget_sent";
