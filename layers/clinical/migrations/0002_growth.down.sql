DROP INDEX "clinical_patient_present";
