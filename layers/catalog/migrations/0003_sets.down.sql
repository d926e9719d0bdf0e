DROP TABLE "catalog_set_item";
--> statement-breakpoint
DROP TABLE "catalog_set";
