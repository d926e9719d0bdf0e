-- In place of clinical_patient_list, which the next revision drops: to drop it here would keep readers out while this one is built.
CREATE INDEX "clinical_patient_present" ON "clinical_patient" USING btree ("clinic_id","search","id") WHERE erased_at is null;
