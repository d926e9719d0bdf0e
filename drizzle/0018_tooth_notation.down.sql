ALTER TABLE "core_clinic" DROP COLUMN "tooth_notation";
