CREATE INDEX "clinical_patient_list" ON "clinical_patient" USING btree ("clinic_id","search","id");
