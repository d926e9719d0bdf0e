ALTER TABLE "core_user" DROP COLUMN "deactivated_at";
