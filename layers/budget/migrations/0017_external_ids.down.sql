DROP TABLE "budget_external_id";
