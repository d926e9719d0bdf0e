ALTER TABLE "catalog_treatment" DROP CONSTRAINT "catalog_treatment_counting";
--> statement-breakpoint
ALTER TABLE "catalog_treatment" DROP COLUMN "surfaces";
--> statement-breakpoint
ALTER TABLE "catalog_treatment" DROP COLUMN "counts";
