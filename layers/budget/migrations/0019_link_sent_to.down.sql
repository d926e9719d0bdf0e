ALTER TABLE "budget_link" DROP COLUMN "sent_to_sealed";
