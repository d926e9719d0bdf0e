-- A backup is loaded in one transaction that checks references at its end.
ALTER TABLE "catalog_treatment" ALTER CONSTRAINT "catalog_treatment_category" DEFERRABLE INITIALLY IMMEDIATE;
