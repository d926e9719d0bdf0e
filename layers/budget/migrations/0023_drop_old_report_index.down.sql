CREATE INDEX "budget_sent_old" ON "budget" USING btree ("clinic_id","sent_at" DESC NULLS LAST,"id" DESC NULLS LAST);
