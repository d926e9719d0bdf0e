DROP TABLE "catalog_treatment";
--> statement-breakpoint
DROP TABLE "catalog_category";
