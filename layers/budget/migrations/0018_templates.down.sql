DROP TABLE "budget_template";
