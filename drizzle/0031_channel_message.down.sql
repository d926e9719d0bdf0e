DROP TABLE "core_channel_message";
