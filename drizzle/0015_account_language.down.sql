ALTER TABLE "core_user" DROP COLUMN "locale";
