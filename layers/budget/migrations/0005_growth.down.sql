DROP INDEX "budget_access_log_downloads";
