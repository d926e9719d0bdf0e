DROP TABLE "core_schedule";
