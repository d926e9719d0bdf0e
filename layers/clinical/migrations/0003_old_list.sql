DROP INDEX "clinical_patient_list";
