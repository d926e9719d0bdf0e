DROP TABLE "treatment_external_id";
