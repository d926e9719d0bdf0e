DROP TRIGGER "catalog_treatment_edited" ON "catalog_treatment";
--> statement-breakpoint
DROP FUNCTION "catalog_treatment_edited"();
--> statement-breakpoint
ALTER TABLE "catalog_treatment" DROP COLUMN "typed_price";
