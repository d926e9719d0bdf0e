DROP TABLE "catalog_treatment_external_id";
