DROP INDEX "budget_link_held";
