DROP TABLE "sms_failing";
--> statement-breakpoint
DROP TABLE "sms_stop";
--> statement-breakpoint
DROP TABLE "sms_day";
--> statement-breakpoint
DROP TABLE "sms_message";
