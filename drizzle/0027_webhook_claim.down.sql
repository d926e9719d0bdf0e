ALTER TABLE "core_webhook_delivery" DROP COLUMN "claim";
