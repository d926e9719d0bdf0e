DROP TABLE "budget_sent_code";
