DROP TABLE "core_secret";
