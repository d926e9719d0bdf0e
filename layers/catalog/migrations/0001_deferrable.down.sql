ALTER TABLE "catalog_treatment" ALTER CONSTRAINT "catalog_treatment_category" NOT DEFERRABLE;
