import { SmsForm } from './utils/sms-form.ts'

/** Adds this module's parts to the clinic's screens. */
export default () => {
  useSettingsSections().add({
    module: 'sms',
    component: defineAsyncComponent(() => import('./components/SmsSettings.vue')),
    schema: SmsForm,
    toRequest: toSmsSettings,
    useShow: useSmsWords
  })
  usePageSections().add({
    page: 'patient',
    component: defineAsyncComponent(() => import('./components/PatientTexts.vue')),
    permission: 'sms.read',
    order: 40
  })
  useErasureWords().add({
    'text messages, without the patient': 'sms.erasure.messages',
    'channels turned off': 'sms.erasure.stops'
  })
}
