DROP TABLE "budget_item_done";
