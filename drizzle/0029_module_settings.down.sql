DROP TABLE "core_module_setting";
