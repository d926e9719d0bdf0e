ALTER TABLE "core_clinic" DROP COLUMN "retention";
