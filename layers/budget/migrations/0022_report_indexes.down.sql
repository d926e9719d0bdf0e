DROP INDEX "budget_sent";
ALTER INDEX "budget_sent_old" RENAME TO "budget_sent";
DROP INDEX "budget_signature_reason";
