ALTER TABLE "budget_notice" DROP COLUMN "claim";
