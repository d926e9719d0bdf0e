DROP INDEX "clinical_patient_email";
