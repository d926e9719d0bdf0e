ALTER TABLE "sms_message" DROP COLUMN "unconfirmed";
