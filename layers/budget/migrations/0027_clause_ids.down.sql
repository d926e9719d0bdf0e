ALTER TABLE "budget" DROP COLUMN "clause_ids";
