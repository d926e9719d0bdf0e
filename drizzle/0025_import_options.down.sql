ALTER TABLE "core_import_batch" DROP COLUMN "remarks";
--> statement-breakpoint
ALTER TABLE "core_import" DROP COLUMN "options";
--> statement-breakpoint
ALTER TABLE "core_import" DROP COLUMN "form";
