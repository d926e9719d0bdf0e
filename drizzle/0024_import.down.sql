DROP TABLE "core_import_batch";
--> statement-breakpoint
DROP TABLE "core_import_chunk";
--> statement-breakpoint
DROP TABLE "core_import";
