DROP INDEX "catalog_treatment_code_folded";
